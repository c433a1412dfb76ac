# Figures, each by its own module, as PDF and PNG.


rule figure:
    input:
        derived=lambda wildcards: files_read("figures", wildcards.figure, wildcards.suite),
        library=lambda wildcards: library("workflow/scripts/figure.py", f"analysis/figures/{wildcards.figure}.py"),
    output:
        pdf="results/{suite}/figures/{figure}.pdf",
        png="results/{suite}/figures/{figure}.png",
        md="results/{suite}/figures/{figure}.md",
    log:
        "results/{suite}/logs/{figure}.log",
    benchmark:
        "results/{suite}/benchmarks/{figure}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        derived=lambda wildcards: f"results/{wildcards.suite}/derived",
    message:
        "{wildcards.figure} (suite {wildcards.suite})"
    script:
        "../scripts/figure.py"
