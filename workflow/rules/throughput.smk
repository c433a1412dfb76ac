# Throughput of a run's judges (RAIM, appendix H), and what `raim costs` makes of it. A target of its own:
# `snakemake throughput`. Included with judge.smk, whose jobs and weights it takes.

from verdicts.judges.roster import find

SPEED = "results/{suite}/throughput"
SPEED_LOAD = {"batch": 128, "input_tokens": 500, "new_tokens": 68} | config["judge"].get("throughput", {})


def timed(suite):
    """Measurements of a suite's judges that decode on this machine: experts give a number, APIs answer elsewhere."""
    judges = dict.fromkeys(member.judge for member in PLANS[suite].members)
    local = [judge for judge in judges if not JOBS[judge].behind_api and find(judge).role != "expert"]
    return [f"results/{suite}/throughput/{judge}.json" for judge in local]


rule throughput_judge:
    input:
        weights=lambda wildcards: weights_of(wildcards.suite, wildcards.judge),
        plan="results/{suite}/plan.yaml",
    output:
        f"{SPEED}/{{judge}}.json",
    log:
        "results/{suite}/logs/throughput/{judge}.log",
    benchmark:
        "results/{suite}/benchmarks/throughput/{judge}.tsv"
    # All cores, on a GPU too: nothing else runs beside what is timed.
    threads: lambda wildcards: workflow.cores
    resources:
        gpu=lambda wildcards: JOBS[wildcards.judge].gpus or None,
    params:
        python=config["judge"]["python"],
        weights=WEIGHTS,
        devices=lambda wildcards: device_options(wildcards.judge),
        library=library_digest("raim/commands/throughput.py"),
        load=" ".join(f"--{name.replace('_', '-')} {SPEED_LOAD[name]}" for name in sorted(SPEED_LOAD)),
    message:
        "{wildcards.judge} is timed"
    shell:
        "RAIM_WEIGHTS={params.weights:q} OMP_NUM_THREADS={threads} {params.python:q} -m raim throughput {input.plan:q}"
        " --judge {wildcards.judge} {params.load} --threads {threads} {params.devices} --json {output:q}"
        " 2>&1 | tee {log:q}"


rule rates:
    input:
        measured=lambda wildcards: timed(wildcards.suite),
        library=library("workflow/scripts/rates.py"),
    output:
        f"{SPEED}/rates.yaml",
    log:
        "results/{suite}/logs/rates.log",
    benchmark:
        "results/{suite}/benchmarks/rates.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    message:
        "Rates of {wildcards.suite} for `raim costs`"
    script:
        "../scripts/rates.py"


rule throughput:
    input:
        expand(f"{SPEED}/rates.yaml", suite=PLANS),
    message:
        "Rates of all plans"
