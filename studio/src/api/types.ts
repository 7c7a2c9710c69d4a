/**
 * The server's types under the names the page has for them. They come from its OpenAPI document (`npm run types`):
 * seconds, metres, radians; distances of transitions in cm.
 */
import type { components, operations } from "./schema";

type Schemas = components["schemas"];

export type Project = Schemas["ProjectView"];
export type GraphSummary = Schemas["GraphSummary"];
export type BuildOptions = Schemas["BuildOptionsJson"];

export type ProjectEntry = Schemas["ProjectEntry"];
export type Opened = Schemas["Opened"];

export type Clip = Schemas["ClipView"];
export type ClipWarning = Schemas["Finding"];
export type Reading = Schemas["Reading"];
/** What a file can be said to be. */
export type ReadFormat = NonNullable<Reading["format"]>;
export type ReadAs = Schemas["ReadAs"];
export type Body = Schemas["BodyView"];
export type Removed = Schemas["Removed"];
export type Recording = Schemas["RecordingView"];
/** How a body is looked for in markers. */
export type FindBody = Partial<Schemas["FindBody"]>;
export type FoundBody = Schemas["FoundBody"];
export type FoundJoint = Schemas["FoundJoint"];
export type Character = Schemas["CharacterView"];
export type CharacterRoles = Schemas["CharacterRoles"];
export type OnCharacter = Schemas["OnCharacter"];
export type RoleRow = Schemas["RoleRow"];
export type KeptSpan = Schemas["KeptSpan"];
/** What is put on a character. */
export type Worn = { clip: string } | { result: string; member: number };
/** How it is changed once it is on the body. */
export interface Reshape {
  taller?: number;
  legs?: number;
  arms?: number;
  /** As `gaitway edit --drag` has it, several with `;` between them. */
  drags?: string;
}
export type OnFormat = NonNullable<NonNullable<operations["export_on_character"]["parameters"]["query"]>["format"]>;
export type Uploaded = Schemas["Uploaded"];
export type BadFile = Schemas["BadFile"];
export type Propose = Schemas["Propose"];
export type Proposals = Schemas["Proposals"];
export type ClipLabel = Schemas["ClipLabel"];
export type Labelled = Schemas["Labelled"];
export type LabelRow = Schemas["LabelSeconds"];
export type LabelSheet = Schemas["LabelsBody"];
export type ContactSheet = Schemas["ContactsBody"];
export type Revision = Schemas["Revision"];

export type Account = Schemas["AccountView"];
export type ThresholdTable = Schemas["ThresholdsBody"];
export type Thresholds = Schemas["ThresholdsView"];
export type ThresholdsInForce = Schemas["ApplyBody"];
export type Applied = Schemas["Applied"];
export type Connectivity = Schemas["Rethresholded"];
export type Connected = Schemas["Connected"];
export type Topology = Schemas["Topology"];
export type TransitionKind = Schemas["KindJson"];
export type Minima = Schemas["Minima"];
export type Minimum = Schemas["MinimumView"];
export type MinimumState = Schemas["MinimumState"];
export type TransitionInfo = Schemas["TransitionView"];
export type TransitionPart = operations["transition_motion"]["parameters"]["query"]["part"];

export type JobRequest = Schemas["JobRequest"];
export type Onto = Schemas["Onto"];
export type PathRequest = Schemas["PathRequest"];
export type PlaceRequest = Schemas["PlaceRequest"];
export type Obstacle = Schemas["ObstacleJson"];
/** (x, z) on the ground. */
export type Point = PathRequest["points"][number];
export type Job = Schemas["JobView"];

export type ResultSummary = Schemas["ResultSummary"];
export type Result = Schemas["ResultFile"];
export type ResultMember = Schemas["MemberFile"];
export type Bar = Schemas["BarJson"];
export type InterpolatedSpan = Schemas["InterpolatedSpan"];
export type TransitionMark = Schemas["TransitionMarkJson"];
export type ExportFormat = operations["export_result"]["parameters"]["query"]["format"];
export type ExportQuery = operations["export_result"]["parameters"]["query"];

export type ErrorBody = Schemas["ErrorBody"];

/** What arrives on the events socket. */
export type ServerEvent = Schemas["SocketEvent"] | Schemas["SocketAnswer"];
/** What the page may send on it. */
export type ClientEvent = Schemas["SocketAsk"];

/** What comes before the numbers of a motion. */
export type MotionHeader = Schemas["MotionHeader"];
