# Inference: weights, verdicts and scores, and the suites made of them. Included only if the configuration has a `judge`
# section, each of whose plans makes one suite.
#
# Records go to the append-only store, which is no output of any rule: Snakemake deletes the outputs of a failed step,
# and finished records must outlive it. A suite is the projection written when all its judges are done. These rules run
# the judge environment's Python, which the configuration names: they have no conda environment of their own.
#
# A judge's items are cut into `slices`, one process each. Several processes write to one store at once.

import shlex

from verdicts.jobs import jobs_of

try:
    JOBS = jobs_of(config["judge"])
except InputError as error:
    raise WorkflowError(str(error)) from None

# $RAIM_WEIGHTS, where it is set, is where a user keeps weights for every project.
WEIGHTS = os.environ.get("RAIM_WEIGHTS", config["judge"]["weights"])


def device_options(judge):
    """The options of `raim judge` that say which GPUs a process takes."""
    gpus, devices = JOBS[judge].gpus, config["judge"].get("devices")
    if not gpus or devices is None:
        return f"--gpus {gpus}"
    return f"--gpus {gpus} --devices {shlex.quote(','.join(map(str, devices)))}"


def weights_of(suite, judge):
    """The mark that a judge's weights are there; none for a judge behind an API."""
    return [] if JOBS[judge].behind_api else f"results/{suite}/judged/{judge}/weights.done"


def judged_parts(suite):
    """The marks that the judges of a suite are done."""
    judges = dict.fromkeys(member.judge for member in PLANS[suite].members)
    return [f"results/{suite}/judged/{judge}/{part}.done" for judge in judges for part in JOBS[judge].parts]


wildcard_constraints:
    judge="[A-Za-z0-9._-]+",
    part="[0-9]+",
    parts="[0-9]+",


localrules:
    plan,
    # Where jobs run there is often no way out to the internet.
    fetch_weights,


# One plan as merged from all files of the configuration, which the commands read.
rule plan:
    input:
        library=library("workflow/scripts/plan.py"),
    output:
        "results/{suite}/plan.yaml",
    log:
        "results/{suite}/logs/plan.log",
    benchmark:
        "results/{suite}/benchmarks/plan.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        judge=config["judge"],
        sources=judged_sources(),
    message:
        "Plan of suite {wildcards.suite}"
    script:
        "../scripts/plan.py"


rule fetch_weights:
    input:
        plan="results/{suite}/plan.yaml",
    output:
        touch("results/{suite}/judged/{judge}/weights.done"),
    log:
        "results/{suite}/logs/fetch/{judge}.log",
    benchmark:
        "results/{suite}/benchmarks/fetch/{judge}.tsv"
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
        weights=lambda wildcards: weights_of(wildcards.suite, wildcards.judge),
        plan="results/{suite}/plan.yaml",
    output:
        touch("results/{suite}/judged/{judge}/{part}of{parts}.done"),
    log:
        "results/{suite}/logs/judge/{judge}/{part}of{parts}.log",
    benchmark:
        "results/{suite}/benchmarks/judge/{judge}/{part}of{parts}.tsv"
    threads: lambda wildcards: JOBS[wildcards.judge].threads or workflow.cores
    resources:
        # None, not 0: executors give a job that has the resource what they keep for GPU jobs.
        gpu=lambda wildcards: JOBS[wildcards.judge].gpus or None,
        api_calls=lambda wildcards: 1 if JOBS[wildcards.judge].behind_api else None,
    params:
        python=config["judge"]["python"],
        store=config["judge"]["store"],
        weights=WEIGHTS,
        devices=lambda wildcards: device_options(wildcards.judge),
        library=library_digest("raim/commands/judge.py"),
    message:
        "{wildcards.judge} judges what is missing of {wildcards.suite} (part {wildcards.part} of {wildcards.parts})"
    shell:
        "RAIM_WEIGHTS={params.weights:q} OMP_NUM_THREADS={threads} {params.python:q} -m raim judge {input.plan:q}"
        " --judge {wildcards.judge} --slice {wildcards.part}/{wildcards.parts} --store {params.store:q}"
        " --threads {threads} {params.devices} 2>&1 | tee {log:q}"


# A rule for each suite, since what it writes is a list of its own.
for SUITE in PLANS:

    rule:
        name:
            f"export_{SUITE.replace('-', '_')}"
        input:
            judged=judged_parts(SUITE),
            plan=f"results/{SUITE}/plan.yaml",
        output:
            suite_files(SUITE),
        log:
            f"results/{SUITE}/logs/export.log",
        benchmark:
            f"results/{SUITE}/benchmarks/export.tsv"
        threads: 1
        params:
            python=config["judge"]["python"],
            store=config["judge"]["store"],
            weights=WEIGHTS,
            folder=suite_folder(SUITE),
            library=library_digest("raim/commands/export.py"),
        message:
            "Suite {params.folder}"
        shell:
            "RAIM_WEIGHTS={params.weights:q} {params.python:q} -m raim export {input.plan:q} --store {params.store:q}"
            " --out {params.folder:q} 2>&1 | tee {log:q}"
