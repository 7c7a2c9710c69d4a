/**
 * What readers and searches say, for people in front of the page: options of the command line become what there is to click, and
 * quoted words wear quotation marks. The terminal keeps its own words; the server's are those of the terminal.
 */

/** Whole asides and hints that name an option, and what stands here instead; nothing where a button beside the words says it. */
const ASIDES: readonly (readonly [RegExp, string])[] = [
  [/ \(--source-fps \d+\)/g, ""],
  [/\(--source-fps sets (?:another|the) rate\)/g, "(“Read as…” sets the rate)"],
  [/give the rate the motion was captured at: --source-fps \d+/gi, "set the rate it was captured at, by “Read as…”"],
  [/give (?:it: --source-fps 100|one rate with --source-fps)/gi, "set the rate by “Read as…”"],
  [/ \(`convert --cut A\.\.B` keeps only the seconds from A to B\)/g, " (“Cut a range…” keeps only a part)"],
  [/ \(--keep-(?:dropouts|spikes) keeps them\)/g, ""],
  [/ \(--keep-first-frame keeps it\)/g, ""],
  [/ \(--repair-spikes mends them, as `clean` and `build` do\)/g, ""],
  [/ \(--repair-spikes fills (\d+) of (\d+), as `clean` and `build` do\)/g, " ($1 of $2 can be filled)"],
  [/ \(--(?:up|units) says otherwise\)/g, ""],
  [/ \(--up \w+ sets it upright\)/g, ""],
  [/if the unit is taken wrongly, name it: --units cm/gi, "if the unit is taken wrongly, set it by “Read as…”"],
  [
    /name the format: --format bvh \(amc, gltf, glb, fbx, c3d, trc or amass\)/gi,
    "say what it is: BVH, AMC, glTF, GLB or FBX",
  ],
  [/name it with --skeleton FILE\.asf/gi, "choose its skeleton (ASF)"],
  [
    /find its skeleton and motion first: gaitway calibrate FILE(?:\.npz)? -o FILE\.bvh/gi,
    "drop it here: the skeleton and its motion are found in its markers",
  ],
  [/say how many bodies there are: --bodies \d+/gi, "say how many parts there are"],
  [/--bodies (\d+): there are (\d+) markers/g, "$1 parts are asked for, and there are $2 markers"],
  [
    /say what a unit is: --units mm \(cm, m\); or leave out what is not on the body: --without NAME,NAME/gi,
    "leave out markers that are not on the body; a unit that is wrong is mended in the program that wrote the file",
  ],
  [
    /`gaitway info FILE(?: --json)?` (?:tells|shows) what (?:a file holds|is in the file)/gi,
    "the player shows what is in it",
  ],
  [
    /name bodies after its joints: --names TABLE\.csv with rows of body,name/gi,
    "use a body that was found in markers of the same names",
  ],
  [
    /use a skeleton that `calibrate` made from the same markers/gi,
    "use a body that was found in markers of the same names",
  ],
  [
    /calibrate those of one rate, and use the body for the others: --skeleton body\.bvh/gi,
    "drop those of one rate first, and use the body found for the others",
  ],
  [/; `calibrate CLIP\.bvh --virtual sensors` makes sensors of a clip/gi, ""],
  [/--skeleton takes a file whose joints are SMPL's: /gi, "the body is a file whose joints are SMPL's: "],
  [
    /put it on (?:such a|this) body: gaitway retarget CLIP --to \S+ -o OUT\.\w+(?:, then convert that)?/gi,
    "drop that body as a character, and put the clip on it",
  ],
  [/it has its motion already: gaitway info FILE\.npz/gi, "it has its motion already: drop it as a clip"],
  [/ \(--body-height 1\.85, or --skeleton FILE with SMPL's joints\)/g, ""],
  [/--root: there is no body/g, "there is no body"],
  [/give all files of a take, calibrate A\.traj B\.traj …/gi, "all sensors of a take come in one table"],
  [/cut it: `gaitway convert long\.bvh part\.bvh --cut 0\.\.600`/gi, "cut it into shorter files first"],
  [/; --ceiling looks further/g, "; a higher ceiling, among the options of the build, looks further"],
  [/; `--style any` lets it play anything/g, "; “Anything goes” lets it play anything"],
  [/others are opened by starting the studio with --project DIR/gi, "others are opened where the studio is started"],
  [/ \(`gaitway info` shows whose is whose\)/g, ""],
  [/; `gaitway info` shows names/g, "; the library shows names"],
];

/** A wish in time as the command line writes it: seconds at a place, or a speed along a piece. */
const WISH = /`(-?\d+(?:\.\d+)?)@(-?\d+(?:\.\d+)?)(?:\.\.(-?\d+(?:\.\d+)?))?`/g;

export function pageWords(text: string): string {
  let out = text;
  for (const [pattern, words] of ASIDES) out = out.replace(pattern, words);
  out = out.replace(WISH, (_, value: string, from: string, to: string | undefined) =>
    to === undefined ? `${value} s at ${from} m` : `${value} m/s from ${from} to ${to} m`,
  );
  return out.replace(/`([^`]+)`/g, "“$1”");
}
