# Inference: weights, verdicts, and the suite made of them. Included only if the configuration has a `judge` section.
#
# Verdicts go to the append-only store, which is no output of any rule: Snakemake deletes the outputs of a failed step,
# and finished records must outlive it. The suite is the projection written when all judges are done. These rules run
# the judge environment's Python, which the configuration names: they have no conda environment of their own.

PLAN = f"results/{JUDGED}/plan.yaml"
# $RAIM_WEIGHTS, where it is set, is where a user keeps weights for every project.
WEIGHTS = os.environ.get("RAIM_WEIGHTS", config["judge"]["weights"])


# The configuration as merged from all its files, which the commands read.
rule plan:
    input:
        library=library("workflow/scripts/plan.py"),
    output:
        PLAN,
    log:
        f"results/{JUDGED}/logs/plan.log",
    benchmark:
        f"results/{JUDGED}/benchmarks/plan.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        judge=config["judge"],
        sources=judged_sources(),
    message:
        f"Plan of suite {JUDGED}"
    script:
        "../scripts/plan.py"


rule fetch_weights:
    input:
        plan=PLAN,
    output:
        touch(f"results/{JUDGED}/judged/{{judge}}.weights"),
    log:
        f"results/{JUDGED}/logs/fetch/{{judge}}.log",
    benchmark:
        f"results/{JUDGED}/benchmarks/fetch/{{judge}}.tsv"
    threads: 1
    resources:
        downloads=1,
    params:
        python=config["judge"]["python"],
        weights=WEIGHTS,
    message:
        "Weights of {wildcards.judge}"
    shell:
        "{params.python:q} -m raim fetch {wildcards.judge} --plan {input.plan:q} --weights {params.weights:q}"
        " 2>&1 | tee {log:q}"


rule judge:
    input:
        weights=f"results/{JUDGED}/judged/{{judge}}.weights",
        plan=PLAN,
        library=library("raim/commands/judge.py"),
    output:
        touch(f"results/{JUDGED}/judged/{{judge}}.done"),
    log:
        f"results/{JUDGED}/logs/judge/{{judge}}.log",
    benchmark:
        f"results/{JUDGED}/benchmarks/judge/{{judge}}.tsv"
    threads: workflow.cores
    resources:
        gpu=config["judge"].get("gpus", 0),
    params:
        python=config["judge"]["python"],
        store=config["judge"]["store"],
        weights=WEIGHTS,
    message:
        "{wildcards.judge} judges what is missing"
    shell:
        "RAIM_WEIGHTS={params.weights:q} OMP_NUM_THREADS={threads} {params.python:q} -m raim judge {input.plan:q}"
        " --judge {wildcards.judge} --store {params.store:q} --threads {threads} 2>&1 | tee {log:q}"


rule export:
    input:
        judged=expand(f"results/{JUDGED}/judged/{{judge}}.done", judge=judged_judges()),
        plan=PLAN,
        library=library("raim/commands/export.py"),
    output:
        suite_files(JUDGED),
    log:
        f"results/{JUDGED}/logs/export.log",
    benchmark:
        f"results/{JUDGED}/benchmarks/export.tsv"
    threads: 1
    params:
        python=config["judge"]["python"],
        store=config["judge"]["store"],
        weights=WEIGHTS,
        folder=suite_folder(JUDGED),
    message:
        "Suite {params.folder}"
    shell:
        "RAIM_WEIGHTS={params.weights:q} {params.python:q} -m raim export {input.plan:q} --store {params.store:q}"
        " --out {params.folder:q} 2>&1 | tee {log:q}"
