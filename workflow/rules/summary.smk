# The page that says what was made of a suite, and what was not; and the report that shows all of it.


rule summary:
    input:
        overview="results/{suite}/derived/overview.json",
        tables="results/{suite}/tables/summary.json",
        figures="results/{suite}/figures/summary.json",
        library=library("workflow/scripts/summary.py"),
    output:
        "results/{suite}/index.md",
    log:
        "results/{suite}/logs/summary.log",
    benchmark:
        "results/{suite}/benchmarks/summary.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    message:
        "Summary of suite {wildcards.suite}"
    script:
        "../scripts/summary.py"


rule report:
    input:
        derived=lambda wildcards: suite_derived(wildcards.suite),
        committed=lambda wildcards: committed_files(wildcards.suite) if wildcards.suite in config["check"] else [],
        tables="results/{suite}/tables/summary.json",
        figures="results/{suite}/figures/summary.json",
        library=library("workflow/scripts/report.py", *output_modules(TABLES)),
    output:
        "results/{suite}/report.html",
    log:
        "results/{suite}/logs/report.log",
    benchmark:
        "results/{suite}/benchmarks/report.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        committed=lambda wildcards: f"derived/{wildcards.suite}" if wildcards.suite in config["check"] else None,
    message:
        "Report of suite {wildcards.suite}"
    script:
        "../scripts/report.py"
