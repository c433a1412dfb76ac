# JudgeMoE: pools of judges' score distributions. The trained gates are released in gates/<pool>/, so that every number
# is made without torch; training them again is a target of its own (`judgemoe_drift`), which reports what it changes.
# The publishers' files of some pools are not part of the project: without them in a `judgemoe` section of the
# configuration, the released numbers of those pools are taken.
#
# A suite of scores that a plan judges is a pool too, and so is one that the section names: their gates are trained here.

POOL_FOLDER = "results/judgemoe"
# For training, which needs torch: by default the judges' own.
POOL_PYTHON = config.get("judgemoe", {}).get("python") or config.get("judge", {}).get("python", ".venv-judge/bin/python")
POOL_GIVEN = config.get("judgemoe", {}).get("sources", {})
POOL_SOURCES = {
    # The records of the small CPU judges are released.
    **({"cpu": {"suite": "suites/scores"}} if (ROOT / "suites" / "scores").is_dir() else {}),
    **POOL_GIVEN,
    **{suite: {"suite": suite_folder(suite)} for suite in SCORED},
}
POOL_TRAINED = [*(pool for pool, files in POOL_GIVEN.items() if "suite" in files), *SCORED]
if taken := sorted({"paper", "sim", "cpu", "summeval", "topicalchat", *POOL_GIVEN} & set(SCORED)):
    raise WorkflowError(
        f"config: judge: plans: {', '.join(taken)}: a pool of JudgeMoE has that name; give the suite another one"
    )
POOL_STEPS = [
    "overview",
    "data",
    "comparison",
    "behaviour",
    "selection",
    "theory",
    "architectures",
    "access",
    "efficiency",
    "experts",
    "pairwise",
    "protocol",
    "styles",
    "diversity",
    "compute",
    "truth",
]
POOL_TABLES, POOL_FIGURES = (
    {
        path.stem: f"analysis.judgemoe.{folder}.{path.stem}"
        for path in sorted((ROOT / "analysis" / "judgemoe" / folder).glob(pattern))
    }
    for folder, pattern in (("tables", "table*.py"), ("figures", "figure*.py"))
)
# Pools made from what is here, and pools whose numbers are taken as released.
POOL_MADE = ["paper", "sim", *sorted(POOL_SOURCES)]
POOL_COMMITTED = sorted(path.parent.name for path in (ROOT / "derived" / "judgemoe").glob("*/overview.json"))
POOL_RELEASED = [pool for pool in POOL_COMMITTED if pool not in POOL_MADE]
POOLS = [*POOL_MADE, *POOL_RELEASED]


POOL_DERIVED = {pool: [f"{POOL_FOLDER}/derived/{pool}/{step}.json" for step in POOL_STEPS] for pool in POOLS}
POOL_FILES = {
    pool: suite_files(pool) if pool in SCORED else list(POOL_SOURCES.get(pool, {}).values()) for pool in POOLS
}
# Gates that are trained in the run are a folder that a rule makes; released ones are files.
POOL_GATES = {
    pool: f"{POOL_FOLDER}/trained/{pool}/gates" if pool in POOL_TRAINED else f"gates/{pool}" for pool in POOLS
}
POOL_GATE_FILES = {
    pool: (
        folder
        if pool in POOL_TRAINED
        else sorted(f"{folder}/{path.name}" for path in (ROOT / folder).glob("*.safetensors"))
    )
    for pool, folder in POOL_GATES.items()
}


rule judgemoe_derive:
    input:
        sources=lambda wildcards: POOL_FILES[wildcards.pool],
        gates=lambda wildcards: POOL_GATE_FILES[wildcards.pool],
        library=library("workflow/scripts/judgemoe_derive.py"),
    output:
        expand(f"{POOL_FOLDER}/derived/{{{{pool}}}}/{{step}}.json", step=POOL_STEPS),
    wildcard_constraints:
        pool="|".join(POOL_MADE),
    log:
        f"{POOL_FOLDER}/logs/derive/{{pool}}.log",
    benchmark:
        f"{POOL_FOLDER}/benchmarks/derive/{{pool}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        sources=lambda wildcards: POOL_SOURCES.get(wildcards.pool, {}),
        gates=lambda wildcards: POOL_GATES[wildcards.pool],
    message:
        "JudgeMoE on {wildcards.pool}"
    script:
        "../scripts/judgemoe_derive.py"


if POOL_RELEASED:

    rule judgemoe_released:
        input:
            expand("derived/judgemoe/{{pool}}/{step}.json", step=POOL_STEPS),
        output:
            expand(f"{POOL_FOLDER}/derived/{{{{pool}}}}/{{step}}.json", step=POOL_STEPS),
        wildcard_constraints:
            pool="|".join(POOL_RELEASED),
        log:
            f"{POOL_FOLDER}/logs/derive/{{pool}}.log",
        benchmark:
            f"{POOL_FOLDER}/benchmarks/derive/{{pool}}.tsv"
        conda:
            "../../environment.yml"
        threads: 1
        params:
            folder=lambda wildcards: f"{POOL_FOLDER}/derived/{wildcards.pool}",
        message:
            "Released numbers of {wildcards.pool}"
        shell:
            "cp -- {input:q} {params.folder:q} > {log:q} 2>&1"


rule judgemoe_tables:
    input:
        derived=lambda wildcards: POOL_DERIVED[wildcards.pool],
        library=library("workflow/scripts/tables.py", *output_modules(POOL_TABLES)),
    output:
        f"{POOL_FOLDER}/{{pool}}/tables/summary.json",
    log:
        f"{POOL_FOLDER}/logs/tables/{{pool}}.log",
    benchmark:
        f"{POOL_FOLDER}/benchmarks/tables/{{pool}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        derived=lambda wildcards: f"{POOL_FOLDER}/derived/{wildcards.pool}",
        modules=POOL_TABLES,
    message:
        "JudgeMoE tables of {wildcards.pool}"
    script:
        "../scripts/tables.py"


rule judgemoe_figures:
    input:
        derived=lambda wildcards: POOL_DERIVED[wildcards.pool],
        library=library("workflow/scripts/figures.py", *output_modules(POOL_FIGURES)),
    output:
        f"{POOL_FOLDER}/{{pool}}/figures/summary.json",
    log:
        f"{POOL_FOLDER}/logs/figures/{{pool}}.log",
    benchmark:
        f"{POOL_FOLDER}/benchmarks/figures/{{pool}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        derived=lambda wildcards: f"{POOL_FOLDER}/derived/{wildcards.pool}",
        modules=POOL_FIGURES,
    message:
        "JudgeMoE figures of {wildcards.pool}"
    script:
        "../scripts/figures.py"


rule judgemoe_summary:
    input:
        tables=expand(f"{POOL_FOLDER}/{{pool}}/tables/summary.json", pool=POOLS),
        figures=expand(f"{POOL_FOLDER}/{{pool}}/figures/summary.json", pool=POOLS),
        library=library("workflow/scripts/judgemoe_summary.py"),
    output:
        f"{POOL_FOLDER}/index.md",
    log:
        f"{POOL_FOLDER}/logs/summary.log",
    benchmark:
        f"{POOL_FOLDER}/benchmarks/summary.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        pools=POOLS,
    message:
        "Summary of JudgeMoE"
    script:
        "../scripts/judgemoe_summary.py"


rule judgemoe_report:
    input:
        derived=[file for pool in POOLS for file in POOL_DERIVED[pool]],
        committed=lambda wildcards: committed_files("judgemoe"),
        tables=expand(f"{POOL_FOLDER}/{{pool}}/tables/summary.json", pool=POOLS),
        figures=expand(f"{POOL_FOLDER}/{{pool}}/figures/summary.json", pool=POOLS),
        library=library("workflow/scripts/study_report.py", *output_modules(POOL_TABLES)),
    output:
        f"{POOL_FOLDER}/report.html",
    log:
        f"{POOL_FOLDER}/logs/report.log",
    benchmark:
        f"{POOL_FOLDER}/benchmarks/report.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        title="JudgeMoE",
        parts=POOLS,
        committed="derived/judgemoe",
        compared=POOL_COMMITTED,
    message:
        "Report of JudgeMoE"
    script:
        "../scripts/study_report.py"


rule judgemoe_check:
    input:
        # Pools of one's own have no committed numbers.
        regenerated=[file for pool in POOL_COMMITTED for file in POOL_DERIVED[pool]],
        committed=lambda wildcards: committed_files("judgemoe"),
        library=library("workflow/scripts/check.py"),
    output:
        f"{POOL_FOLDER}/check.txt",
    log:
        f"{POOL_FOLDER}/logs/check.log",
    benchmark:
        f"{POOL_FOLDER}/benchmarks/check.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        regenerated=lambda wildcards: f"{POOL_FOLDER}/derived",
        committed="derived/judgemoe",
        parts=POOL_COMMITTED,
    message:
        "Comparing the regenerated numbers of JudgeMoE with the committed ones"
    script:
        "../scripts/check.py"


# Training needs torch: the step runs the Python that the configuration names. Released gates are not trained again but
# for `judgemoe_drift`.
rule judgemoe_train:
    input:
        sources=lambda wildcards: POOL_FILES[wildcards.pool],
        library=library("workflow/scripts/judgemoe_train.py"),
    output:
        gates=directory(f"{POOL_FOLDER}/trained/{{pool}}/gates"),
        derived=directory(f"{POOL_FOLDER}/trained/{{pool}}/derived"),
    wildcard_constraints:
        pool="|".join(POOLS),
    log:
        f"{POOL_FOLDER}/logs/train/{{pool}}.log",
    benchmark:
        f"{POOL_FOLDER}/benchmarks/train/{{pool}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        python=POOL_PYTHON,
        script="workflow/scripts/judgemoe_train.py",
        sources=lambda wildcards: [f"{name}={path}" for name, path in POOL_SOURCES.get(wildcards.pool, {}).items()],
    message:
        "Training the gates of {wildcards.pool}"
    shell:
        "{params.python:q} {params.script:q} {wildcards.pool} {output.gates:q} {output.derived:q}"
        " {params.sources:q}"
        " > {log:q} 2>&1"


rule judgemoe_drift:
    input:
        derived=f"{POOL_FOLDER}/trained/{{pool}}/derived",
        library=library("workflow/scripts/judgemoe_drift.py"),
    output:
        f"{POOL_FOLDER}/trained/{{pool}}/drift.txt",
    log:
        f"{POOL_FOLDER}/logs/drift/{{pool}}.log",
    benchmark:
        f"{POOL_FOLDER}/benchmarks/drift/{{pool}}.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        committed=lambda wildcards: f"derived/judgemoe/{wildcards.pool}",
    message:
        "What training again changes in the numbers of {wildcards.pool}"
    script:
        "../scripts/judgemoe_drift.py"
