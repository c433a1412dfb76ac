# From released records to every number behind the tables: the steps of analysis/steps/, by their scope.


rule suite_step:
    input:
        records=lambda wildcards: suite_files(wildcards.suite),
        derived=lambda wildcards: files_read("steps", wildcards.step, wildcards.suite),
        library=lambda wildcards: library("workflow/scripts/suite_step.py", f"analysis/steps/{wildcards.step}.py"),
    output:
        "results/{suite}/derived/{step}.json",
    log:
        "results/{suite}/logs/derived/{step}.log",
    benchmark:
        "results/{suite}/benchmarks/derived/{step}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        suite=lambda wildcards: suite_folder(wildcards.suite),
        derived=lambda wildcards: f"results/{wildcards.suite}/derived",
        benchmarks=lambda wildcards: suite_benchmarks(wildcards.suite),
    message:
        "{wildcards.step} of suite {wildcards.suite}"
    script:
        "../scripts/suite_step.py"


rule benchmark_step:
    input:
        records=lambda wildcards: record_files(wildcards.suite, wildcards.benchmark),
        derived=lambda wildcards: files_read("steps", wildcards.step, wildcards.suite, [wildcards.benchmark]),
        library=lambda wildcards: library("workflow/scripts/benchmark_step.py", f"analysis/steps/{wildcards.step}.py"),
    output:
        "results/{suite}/derived/{benchmark}/{step}.json",
    log:
        "results/{suite}/logs/derived/{benchmark}/{step}.log",
    benchmark:
        "results/{suite}/benchmarks/derived/{benchmark}/{step}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        suite=lambda wildcards: suite_folder(wildcards.suite),
        derived=lambda wildcards: f"results/{wildcards.suite}/derived",
    message:
        "{wildcards.step} of {wildcards.benchmark} (suite {wildcards.suite})"
    script:
        "../scripts/benchmark_step.py"
