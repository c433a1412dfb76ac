# The alternative annotator test: the simulation of appendix C, and the study on sets of annotations. The annotations
# are the publishers'; without an `alt_test` section in the configuration, the released numbers of the sets are taken.

ALT_FOLDER = "results/alt_test"
ALT_STEPS = ["test", "panels", "weighted", "labels"]
ALT_TABLES = {
    stem: f"analysis.alt_test.tables.{stem}" for stem in ("table1", "table2", "table5", "table6", "panels", "weighted")
}
ALT_FIGURES = {stem: f"analysis.alt_test.figures.{stem}" for stem in ("figure3", "figure4", "figure5")}
if "alt_test" in config:
    ALT_SETS = sorted(config["alt_test"]["sets"])
else:
    ALT_SETS = sorted(path.parent.name for path in (ROOT / "derived" / "alt_test").glob("*/test.json"))
ALT_DERIVED = [
    f"{ALT_FOLDER}/derived/overview.json",
    f"{ALT_FOLDER}/derived/simulation.json",
    *expand(f"{ALT_FOLDER}/derived/{{name}}/{{step}}.json", name=ALT_SETS, step=ALT_STEPS),
]


rule alt_simulation:
    input:
        library=library("workflow/scripts/alt_simulation.py"),
    output:
        f"{ALT_FOLDER}/derived/simulation.json",
    log:
        f"{ALT_FOLDER}/logs/simulation.log",
    benchmark:
        f"{ALT_FOLDER}/benchmarks/simulation.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    message:
        "Simulation of the alternative annotator test"
    script:
        "../scripts/alt_simulation.py"


if "alt_test" in config:

    rule alt_set:
        input:
            humans=f"{config['alt_test']['folder']}/{{annotation_set}}/human_annotations.json",
            judges=f"{config['alt_test']['folder']}/{{annotation_set}}/llm_annotations.json",
            library=library("workflow/scripts/alt_set.py"),
        output:
            expand(f"{ALT_FOLDER}/derived/{{{{annotation_set}}}}/{{step}}.json", step=ALT_STEPS),
        log:
            f"{ALT_FOLDER}/logs/sets/{{annotation_set}}.log",
        benchmark:
            f"{ALT_FOLDER}/benchmarks/sets/{{annotation_set}}.tsv"
        conda:
            "../../environment.yml"
        threads: 1
        params:
            entry=lambda wildcards: config["alt_test"]["sets"][wildcards.annotation_set],
        message:
            "Alternative annotator test on {wildcards.annotation_set}"
        script:
            "../scripts/alt_set.py"

else:

    rule alt_released_set:
        input:
            expand("derived/alt_test/{{annotation_set}}/{step}.json", step=ALT_STEPS),
        output:
            expand(f"{ALT_FOLDER}/derived/{{{{annotation_set}}}}/{{step}}.json", step=ALT_STEPS),
        log:
            f"{ALT_FOLDER}/logs/sets/{{annotation_set}}.log",
        benchmark:
            f"{ALT_FOLDER}/benchmarks/sets/{{annotation_set}}.tsv"
        conda:
            "../../environment.yml"
        threads: 1
        params:
            folder=lambda wildcards: f"{ALT_FOLDER}/derived/{wildcards.annotation_set}",
        message:
            "Released numbers of {wildcards.annotation_set}"
        shell:
            "cp -- {input:q} {params.folder:q} > {log:q} 2>&1"


rule alt_overview:
    input:
        tests=expand(f"{ALT_FOLDER}/derived/{{name}}/test.json", name=ALT_SETS),
        library=library("workflow/scripts/alt_overview.py"),
    output:
        f"{ALT_FOLDER}/derived/overview.json",
    log:
        f"{ALT_FOLDER}/logs/overview.log",
    benchmark:
        f"{ALT_FOLDER}/benchmarks/overview.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        names=ALT_SETS,
    message:
        "Overview of the annotation sets"
    script:
        "../scripts/alt_overview.py"


rule alt_tables:
    input:
        derived=ALT_DERIVED,
        library=library("workflow/scripts/tables.py", *output_modules(ALT_TABLES)),
    output:
        f"{ALT_FOLDER}/tables/summary.json",
    log:
        f"{ALT_FOLDER}/logs/tables.log",
    benchmark:
        f"{ALT_FOLDER}/benchmarks/tables.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        derived=lambda wildcards: f"{ALT_FOLDER}/derived",
        modules=ALT_TABLES,
    message:
        "Tables of the alternative annotator test"
    script:
        "../scripts/tables.py"


rule alt_figures:
    input:
        derived=ALT_DERIVED,
        library=library("workflow/scripts/figures.py", *output_modules(ALT_FIGURES)),
    output:
        f"{ALT_FOLDER}/figures/summary.json",
    log:
        f"{ALT_FOLDER}/logs/figures.log",
    benchmark:
        f"{ALT_FOLDER}/benchmarks/figures.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        derived=lambda wildcards: f"{ALT_FOLDER}/derived",
        modules=ALT_FIGURES,
    message:
        "Figures of the alternative annotator test"
    script:
        "../scripts/figures.py"


rule alt_summary:
    input:
        overview=f"{ALT_FOLDER}/derived/overview.json",
        tables=f"{ALT_FOLDER}/tables/summary.json",
        figures=f"{ALT_FOLDER}/figures/summary.json",
        library=library("workflow/scripts/summary.py"),
    output:
        f"{ALT_FOLDER}/index.md",
    log:
        f"{ALT_FOLDER}/logs/summary.log",
    benchmark:
        f"{ALT_FOLDER}/benchmarks/summary.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    message:
        "Summary of the alternative annotator test"
    script:
        "../scripts/summary.py"


rule alt_report:
    input:
        derived=ALT_DERIVED,
        committed=lambda wildcards: committed_files("alt_test"),
        tables=f"{ALT_FOLDER}/tables/summary.json",
        figures=f"{ALT_FOLDER}/figures/summary.json",
        library=library("workflow/scripts/study_report.py", *output_modules(ALT_TABLES)),
    output:
        f"{ALT_FOLDER}/report.html",
    log:
        f"{ALT_FOLDER}/logs/report.log",
    benchmark:
        f"{ALT_FOLDER}/benchmarks/report.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        title="Alternative annotator test",
        parts=[""],
        committed="derived/alt_test",
    message:
        "Report of the alternative annotator test"
    script:
        "../scripts/study_report.py"


rule alt_check:
    input:
        regenerated=ALT_DERIVED,
        committed=lambda wildcards: committed_files("alt_test"),
        library=library("workflow/scripts/check.py"),
    output:
        f"{ALT_FOLDER}/check.txt",
    log:
        f"{ALT_FOLDER}/logs/check.log",
    benchmark:
        f"{ALT_FOLDER}/benchmarks/check.tsv"
    conda:
        "../../environment.yml"
    threads: 1
    params:
        regenerated=lambda wildcards: f"{ALT_FOLDER}/derived",
        committed=lambda wildcards: "derived/alt_test",
    message:
        "Comparing the regenerated numbers of the alternative annotator test with the committed ones"
    script:
        "../scripts/check.py"
