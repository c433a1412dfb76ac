# Tables, each by its own module, as CSV, Markdown and LaTeX.


rule table:
    input:
        derived=lambda wildcards: files_read("tables", wildcards.table, wildcards.suite),
        library=lambda wildcards: library("workflow/scripts/table.py", f"analysis/tables/{wildcards.table}.py"),
    output:
        csv="results/{suite}/tables/{table}.csv",
        md="results/{suite}/tables/{table}.md",
        tex="results/{suite}/tables/{table}.tex",
    log:
        "results/{suite}/logs/{table}.log",
    benchmark:
        "results/{suite}/benchmarks/{table}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        derived=lambda wildcards: f"results/{wildcards.suite}/derived",
    message:
        "{wildcards.table} (suite {wildcards.suite})"
    script:
        "../scripts/table.py"
