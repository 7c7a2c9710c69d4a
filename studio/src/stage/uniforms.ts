/** Values that all materials of a stage share: one object, so that a change of theme reaches everything at once. */
import { Color, Vector3, type IUniform } from "three";

export interface SharedUniforms {
  [name: string]: IUniform;
  /** Towards the key light, unit. */
  keyDirection: IUniform<Vector3>;
  keyColour: IUniform<Color>;
  skyColour: IUniform<Color>;
  groundColour: IUniform<Color>;
  rimColour: IUniform<Color>;
  floorColour: IUniform<Color>;
  /** What the floor fades into. */
  backColour: IUniform<Color>;
  shadowColour: IUniform<Color>;
  lineColour: IUniform<Color>;
  /** Where the camera looks; the floor fades with the distance from it. */
  focus: IUniform<Vector3>;
  fadeStart: IUniform<number>;
  fadeEnd: IUniform<number>;
}

export function sharedUniforms(): SharedUniforms {
  return {
    keyDirection: { value: new Vector3(0.45, 1, 0.55).normalize() },
    keyColour: { value: new Color() },
    skyColour: { value: new Color() },
    groundColour: { value: new Color() },
    rimColour: { value: new Color() },
    floorColour: { value: new Color() },
    backColour: { value: new Color() },
    shadowColour: { value: new Color() },
    lineColour: { value: new Color() },
    focus: { value: new Vector3() },
    fadeStart: { value: 6 },
    fadeEnd: { value: 30 },
  };
}
