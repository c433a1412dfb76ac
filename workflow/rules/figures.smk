# Figures as PDF and PNG, in one job: starting Python takes longer than making one.


rule figures:
    input:
        derived=lambda wildcards: suite_derived(wildcards.suite),
        library=library("workflow/scripts/figures.py", *output_modules(FIGURES)),
    output:
        "results/{suite}/figures/summary.json",
    log:
        "results/{suite}/logs/figures.log",
    benchmark:
        "results/{suite}/benchmarks/figures.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        derived=lambda wildcards: f"results/{wildcards.suite}/derived",
        modules=FIGURES,
    message:
        "Figures of suite {wildcards.suite}"
    script:
        "../scripts/figures.py"
