/** A second of a thing with four joints that walks along +z. */
function tinyBvh(): string {
  const frames = Array.from({ length: 60 }, (_, k) => `0 1 ${(k * 0.02).toFixed(3)} 0 0 0 ${(10 * Math.sin(k / 5)).toFixed(3)} 0 0 0 0 0 0 0 0`);
  return `HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT LeftUpLeg
  {
    OFFSET 0.1 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT LeftLeg
    {
      OFFSET 0 -0.5 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT LeftFoot
      {
        OFFSET 0 -0.45 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        End Site
        {
          OFFSET 0 -0.05 0.15
        }
      }
    }
  }
}
MOTION
Frames: ${frames.length}
Frame Time: 0.016667
${frames.join("\n")}
`;
}

export const TINY_BVH = tinyBvh();
