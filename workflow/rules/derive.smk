# From released records to every number behind the tables: the steps of analysis/steps/, in the passes of order.py.


# What benchmarks need to know of the whole suite.
rule suite_steps:
    input:
        records=lambda wildcards: suite_files(wildcards.suite),
        library=library("workflow/scripts/suite_steps.py", *step_modules(STEPS.before)),
    output:
        suite_step_files("{suite}", STEPS.before),
    log:
        "results/{suite}/logs/suite_steps.log",
    benchmark:
        "results/{suite}/benchmarks/suite_steps.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        suite=lambda wildcards: suite_folder(wildcards.suite),
        derived=lambda wildcards: f"results/{wildcards.suite}/derived",
        benchmarks=lambda wildcards: suite_benchmarks(wildcards.suite),
        steps=STEPS.before,
        all_steps=STEPS.suite,
    message:
        "Overview of suite {wildcards.suite}"
    script:
        "../scripts/suite_steps.py"


rule benchmark_steps:
    input:
        records=lambda wildcards: record_files(wildcards.suite, wildcards.benchmark),
        derived=lambda wildcards: suite_step_files(wildcards.suite, STEPS.before),
        library=library("workflow/scripts/benchmark_steps.py", *step_modules(STEPS.benchmarks)),
    output:
        expand("results/{{suite}}/derived/{{benchmark}}/{step}.json", step=STEPS.benchmarks),
    log:
        "results/{suite}/logs/benchmark_steps/{benchmark}.log",
    benchmark:
        "results/{suite}/benchmarks/benchmark_steps/{benchmark}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        suite=lambda wildcards: suite_folder(wildcards.suite),
        derived=lambda wildcards: f"results/{wildcards.suite}/derived",
        steps=STEPS.benchmarks,
    message:
        "Estimators of {wildcards.benchmark} (suite {wildcards.suite})"
    script:
        "../scripts/benchmark_steps.py"


# What reads the votes of several benchmarks, and no benchmark's numbers.
if STEPS.alongside:

    rule alongside_steps:
        input:
            records=lambda wildcards: suite_files(wildcards.suite),
            derived=lambda wildcards: suite_step_files(wildcards.suite, STEPS.before),
            library=library("workflow/scripts/suite_steps.py", *step_modules(STEPS.alongside)),
        output:
            suite_step_files("{suite}", STEPS.alongside),
        log:
            "results/{suite}/logs/alongside_steps.log",
        benchmark:
            "results/{suite}/benchmarks/alongside_steps.tsv"
        conda:
            "../../environment.yml"
        threads: 1
        params:
            suite=lambda wildcards: suite_folder(wildcards.suite),
            derived=lambda wildcards: f"results/{wildcards.suite}/derived",
            benchmarks=lambda wildcards: suite_benchmarks(wildcards.suite),
            steps=STEPS.alongside,
            all_steps=STEPS.suite,
        message:
            "Estimators over the benchmarks' votes (suite {wildcards.suite})"
        script:
            "../scripts/suite_steps.py"


# What reads the benchmarks' numbers.
if STEPS.after:

    rule closing_steps:
        input:
            records=lambda wildcards: suite_files(wildcards.suite),
            derived=lambda wildcards: [
                *suite_step_files(wildcards.suite, (*STEPS.before, *STEPS.alongside)),
                *benchmark_step_files(wildcards.suite),
            ],
            library=library("workflow/scripts/suite_steps.py", *step_modules(STEPS.after)),
        output:
            suite_step_files("{suite}", STEPS.after),
        log:
            "results/{suite}/logs/closing_steps.log",
        benchmark:
            "results/{suite}/benchmarks/closing_steps.tsv"
        conda:
            "../../environment.yml"
        threads: 1
        params:
            suite=lambda wildcards: suite_folder(wildcards.suite),
            derived=lambda wildcards: f"results/{wildcards.suite}/derived",
            benchmarks=lambda wildcards: suite_benchmarks(wildcards.suite),
            steps=STEPS.after,
            all_steps=STEPS.suite,
        message:
            "Estimators over the benchmarks' numbers (suite {wildcards.suite})"
        script:
            "../scripts/suite_steps.py"
