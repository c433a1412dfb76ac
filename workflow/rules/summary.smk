# The page that says what was made of a suite, and what was not.


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
