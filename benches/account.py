#!/usr/bin/env python3
"""Holds the account to its word, through the real program: every remedy that `inspect` prints is done with `build --rethreshold`, and what
comes back and what is lost elsewhere is read off the account of the graph that results. Also that kept seconds are
never more than there are, and that no more candidates are used than there are.

    account.py GAITWAY DATA [--out FILE.md] [SUBJECT...]
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

SETS = ["cmu-bvh", "cmu-wide"]
ROUNDING = 1e-6


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    # A graph without transitions is written and told by exit code 1.
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stderr}")
    return json.loads(done.stdout) if done.stdout.strip() else None


def lost_by_clip(account):
    out = {}
    for row in account["lost"]:
        out[row["clip"]] = out.get(row["clip"], 0.0) + row["seconds"]
    return out


def option(remedy):
    if remedy["try"] == "at-least":
        return ["--at-least", f"{remedy['cm']:.1f}"]
    if remedy["try"] == "bridge":
        return ["--bridge", f"{remedy['bridge_s']:.0f}"]
    return None


def check(gaitway, graph, account, folder):
    """Promises made, kept, made at a price, and what went wrong."""
    wrong, made, priced, other = [], 0, 0, {}
    for label in account["labels"]:
        if not label["kept_seconds"] - ROUNDING <= label["graph_seconds"] <= label["seconds"] + ROUNDING:
            wrong.append(f"`{label['label']}`: {label['graph_seconds']:.2f} s kept of {label['seconds']:.2f}")
    if account["candidates_used"] > account["candidates"]:
        wrong.append(f"{account['candidates_used']} of {account['candidates']} candidates")
    had = lost_by_clip(account)
    within = {l["label"]: l["kept_seconds"] for l in account["labels"]}
    done = {}
    for row in account["lost"]:
        remedy = row["remedy"]
        if remedy is None:
            other["nothing"] = other.get("nothing", 0) + 1
            continue
        asked = option(remedy)
        if asked is None:
            other[remedy["try"]] = other.get(remedy["try"], 0) + 1
            continue
        made += 1
        key = tuple(asked)
        if key not in done:
            out = folder / "again.gway"
            done[key] = run([gaitway, "build", "--rethreshold", graph, "-o", out, *asked, "--json", "--quiet"])
        again = done[key]
        has = lost_by_clip(again)
        back = had[row["clip"]] - has.get(row["clip"], 0.0)
        if back < remedy["seconds"] - ROUNDING:
            wrong.append(f"{row['clip']} {' '.join(asked)}: {back:.2f} s for {remedy['seconds']:.2f}")
        fewer = [c for c in has if has[c] > had.get(c, 0.0) + ROUNDING]
        now = {l["label"]: l["kept_seconds"] for l in again["labels"]}
        fewer += [l for l in within if now.get(l, 0.0) < within[l] - ROUNDING]
        priced += bool(remedy.get("costs"))
        # Bridges lengthen ways and change no threshold: their prices are not told, since there are none.
        if fewer and not remedy.get("costs"):
            wrong.append(f"{row['clip']} {' '.join(asked)} takes from {', '.join(fewer[:3])}")
    return made, priced, other, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("gaitway", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("subjects", nargs="*")
    args = parser.parse_args()
    lines = [
        "# What the account promises, done",
        "",
        "Made by `benches/account.sh`: for every person of `cmu-bvh` and `cmu-wide` with two clips or more, with thresholds chosen from the "
        "data and with 6 cm for all; each remedy of the account is done by `gaitway build --rethreshold`, and what comes back is "
        "counted on the graph that results.",
        "",
        "| set | person | thresholds | rows | remedies | kept | at a price | past the ceiling | wrong |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    total, bad = [0, 0, 0], []
    for name in SETS:
        for subject in sorted((args.data / name).iterdir()):
            files = sorted(subject.glob("*.bvh")) if subject.is_dir() else []
            if len(files) < 2 or (args.subjects and subject.name not in args.subjects):
                continue
            for how in (["--auto"], ["--threshold", "6"]):
                with tempfile.TemporaryDirectory() as place:
                    folder = pathlib.Path(place)
                    graph = folder / "g.gway"
                    command = [args.gaitway, "build", subject, "-o", graph, *how]
                    # The labels name clips of the first set alone.
                    if name == SETS[0]:
                        command += ["--labels", args.data / "labels-gaitway.csv"]
                    try:
                        account = run([*command, "--json", "--quiet"])
                        made, priced, other, wrong = check(args.gaitway, graph, account, folder)
                    except RuntimeError as error:
                        bad.append(f"{name}/{subject.name}: {error}")
                        continue
                row = f"| {name} | {subject.name} | {' '.join(how)} | {len(account['lost'])} | {made} | {made - len(wrong)} "
                lines.append(row + f"| {priced} | {other.get('ceiling', 0)} | {'; '.join(wrong) or '–'} |")
                print(lines[-1], flush=True)
                total = [total[0] + made, total[1] + made - len(wrong), total[2] + priced]
                bad += [f"{name}/{subject.name}: {w}" for w in wrong]
    lines += ["", f"{total[0]} remedies, {total[1]} kept, {total[2]} of them told with a price.", ""]
    print(lines[-2])
    if args.out:
        args.out.write_text("\n".join(lines))
    for line in bad:
        print(line, file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
