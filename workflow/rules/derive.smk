# From released records to every number behind the tables.


rule overview:
    input:
        records=lambda wildcards: suite_files(wildcards.suite),
        library=library("workflow/scripts/overview.py"),
    output:
        "results/{suite}/derived/overview.json",
    log:
        "results/{suite}/logs/overview.log",
    benchmark:
        "results/{suite}/benchmarks/overview.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        suite=lambda wildcards: suite_folder(wildcards.suite),
        benchmarks=lambda wildcards: suite_benchmarks(wildcards.suite),
    message:
        "Overview of suite {wildcards.suite}"
    script:
        "../scripts/overview.py"


rule ladder:
    input:
        records=lambda wildcards: record_files(wildcards.suite, wildcards.benchmark),
        overview="results/{suite}/derived/overview.json",
        library=library("workflow/scripts/ladder.py"),
    output:
        "results/{suite}/derived/{benchmark}/ladder.json",
    log:
        "results/{suite}/logs/ladder/{benchmark}.log",
    benchmark:
        "results/{suite}/benchmarks/ladder/{benchmark}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        suite=lambda wildcards: suite_folder(wildcards.suite),
    message:
        "Estimators of {wildcards.benchmark} (suite {wildcards.suite})"
    script:
        "../scripts/ladder.py"
