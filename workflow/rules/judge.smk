# Inference: weights, verdicts, and the suite made of them. Included only if the configuration has a `judge` section.
#
# Verdicts go to the append-only store, which is no output of any rule: Snakemake deletes the outputs of a failed step,
# and finished records must outlive it. A step's output is the projection that is written at its end.


rule fetch_weights:
    output:
        touch(f"results/{JUDGED}/weights/{{judge}}.done"),
    log:
        f"results/{JUDGED}/logs/weights/{{judge}}.log",
    benchmark:
        f"results/{JUDGED}/benchmarks/weights/{{judge}}.tsv"
    threads: 1
    resources:
        downloads=1,
    params:
        python=config["judge"]["python"],
        weights=config["judge"]["weights"],
    message:
        "Weights of {wildcards.judge}"
    shell:
        "{params.python} -m raim fetch {wildcards.judge} --weights {params.weights:q} 2>&1 | tee {log:q}"


rule index_items:
    input:
        source=lambda wildcards: config["judge"].get("sources", {}).get(wildcards.benchmark, []),
        library=library("raim/commands/index.py"),
    output:
        f"results/{JUDGED}/suite/index/{{benchmark}}.tsv",
    log:
        f"results/{JUDGED}/logs/index/{{benchmark}}.log",
    benchmark:
        f"results/{JUDGED}/benchmarks/index/{{benchmark}}.tsv"
    threads: 1
    params:
        python=config["judge"]["python"],
    message:
        "Index of {wildcards.benchmark}"
    shell:
        "{params.python} -m raim index {wildcards.benchmark} --source {input.source:q} --out {output:q} 2>&1 | tee {log:q}"


rule judge:
    input:
        weights=f"results/{JUDGED}/weights/{{judge}}.done",
        index=f"results/{JUDGED}/suite/index/{{benchmark}}.tsv",
        library=library("raim/commands/judge.py"),
    output:
        f"results/{JUDGED}/suite/records/{{benchmark}}/{{judge}}.{{protocol}}.jsonl.gz",
    log:
        f"results/{JUDGED}/logs/judge/{{benchmark}}/{{judge}}.{{protocol}}.log",
    benchmark:
        f"results/{JUDGED}/benchmarks/judge/{{benchmark}}/{{judge}}.{{protocol}}.tsv"
    threads: workflow.cores
    resources:
        gpu=config["judge"].get("gpus", 0),
    params:
        python=config["judge"]["python"],
        store=config["judge"]["store"],
        weights=config["judge"]["weights"],
    message:
        "{wildcards.judge} ({wildcards.protocol}) judges {wildcards.benchmark}"
    shell:
        "{params.python} -m raim judge {wildcards.benchmark} --judge {wildcards.judge} --protocol {wildcards.protocol}"
        " --store {params.store:q} --weights {params.weights:q} --export {output:q} 2>&1 | tee {log:q}"
