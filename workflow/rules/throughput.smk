# Throughput of a run's judges (RAIM, appendix H), and what `raim costs` makes of it. A target of its own:
# `snakemake throughput`. Included with judge.smk, whose jobs and weights it takes.

SPEED = f"results/{JUDGED}/throughput"
SPEED_LOAD = {"batch": 128, "input_tokens": 500, "new_tokens": 68} | config["judge"].get("throughput", {})


rule throughput_judge:
    input:
        weights=lambda wildcards: weights_of(wildcards.judge),
        plan=PLAN,
    output:
        f"{SPEED}/{{judge}}.json",
    log:
        f"results/{JUDGED}/logs/throughput/{{judge}}.log",
    benchmark:
        f"results/{JUDGED}/benchmarks/throughput/{{judge}}.tsv"
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


rule throughput:
    input:
        measured=[f"{SPEED}/{judge}.json" for judge, job in JOBS.items() if not job.behind_api],
        library=library("workflow/scripts/rates.py"),
    output:
        f"{SPEED}/rates.yaml",
    log:
        f"results/{JUDGED}/logs/rates.log",
    benchmark:
        f"results/{JUDGED}/benchmarks/rates.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    message:
        "Rates for `raim costs`"
    script:
        "../scripts/rates.py"
