# Tables as CSV, Markdown and LaTeX, in one job: starting Python takes longer than making one.


rule tables:
    input:
        derived=lambda wildcards: suite_derived(wildcards.suite),
        library=library("workflow/scripts/tables.py", *output_modules(TABLES)),
    output:
        "results/{suite}/tables/summary.json",
    log:
        "results/{suite}/logs/tables.log",
    benchmark:
        "results/{suite}/benchmarks/tables.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        derived=lambda wildcards: f"results/{wildcards.suite}/derived",
        modules=TABLES,
    message:
        "Tables of suite {wildcards.suite}"
    script:
        "../scripts/tables.py"
