# The regenerated numbers against the committed ones.


rule check:
    input:
        regenerated=lambda wildcards: suite_derived(wildcards.suite),
        committed=lambda wildcards: committed_files(wildcards.suite),
        library=library("workflow/scripts/check.py"),
    output:
        "results/{suite}/check.txt",
    log:
        "results/{suite}/logs/check.log",
    benchmark:
        "results/{suite}/benchmarks/check.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        regenerated=lambda wildcards: f"results/{wildcards.suite}/derived",
        committed=lambda wildcards: f"derived/{wildcards.suite}",
    message:
        "Comparing the regenerated numbers of suite {wildcards.suite} with the committed ones"
    script:
        "../scripts/check.py"
