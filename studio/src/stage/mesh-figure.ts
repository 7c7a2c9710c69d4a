/**
 * A user's own character: a mesh bent by its skin. The server writes the motion into the character's own file, so that what is seen here is what
 * opens elsewhere.
 */
import {
  AnimationMixer,
  Box3,
  type Color,
  Group,
  type Material,
  Mesh,
  MeshBasicMaterial,
  type MeshStandardMaterial,
  type Object3D,
  type SkinnedMesh,
  TextureLoader,
  Vector3,
} from "three";
import type { SharedUniforms } from "./uniforms";

/** Over the floor and the shadows of tubes, under the feet. */
const SHADOW_M = 0.0012;
/** How dark a shadow is where it falls. */
const SHADE = 0.55;
/** Where colours of joints are to be seen through it. */
const GLASS = 0.22;

export class MeshFigure {
  /** Moved to where the character's motion begins. */
  readonly group = new Group();
  private readonly mixer: AnimationMixer;
  private readonly meshes: Mesh[] = [];
  private readonly shadows: Mesh[] = [];
  private shadowMaterial: MeshBasicMaterial | null = null;
  private glass = false;

  private constructor(
    scene: Object3D,
    private readonly seconds: number,
    mixer: AnimationMixer,
  ) {
    this.mixer = mixer;
    this.group.add(scene);
    scene.traverse((part) => {
      if (!(part as Mesh).isMesh) return;
      const mesh = part as Mesh;
      // A skin moves far from the box that the mesh has at rest.
      mesh.frustumCulled = false;
      materialsOf(mesh).forEach(matte);
      this.meshes.push(mesh);
    });
  }

  /** Reads a GLB with one animation. */
  static async read(bytes: ArrayBuffer): Promise<MeshFigure> {
    const { GLTFLoader } = await import("three/addons/loaders/GLTFLoader.js");
    const loader = new GLTFLoader();
    // Pictures inside the file are shown as pictures: the page may not fetch from anywhere but its server.
    loader.register((parser) => {
      (parser as unknown as { textureLoader: TextureLoader }).textureLoader = new TextureLoader();
      return { name: "pictures" };
    });
    const file = await loader.parseAsync(bytes, "");
    const mixer = new AnimationMixer(file.scene);
    const clip = file.animations.at(-1);
    if (clip) mixer.clipAction(clip).play();
    return new MeshFigure(file.scene, clip?.duration ?? 0, mixer);
  }

  /** Falls on the floor, as the plain figure's shadow does. */
  castShadow(uniforms: SharedUniforms): void {
    const material = (this.shadowMaterial = shadowMaterial(uniforms));
    for (const mesh of this.meshes) {
      const shadow = mesh.clone(false);
      shadow.material = material;
      shadow.frustumCulled = false;
      shadow.renderOrder = -1;
      const skinned = mesh as SkinnedMesh;
      if (skinned.isSkinnedMesh) (shadow as SkinnedMesh).bind(skinned.skeleton, skinned.bindMatrix);
      mesh.parent?.add(shadow);
      this.shadows.push(shadow);
    }
  }

  /** Takes colours of the theme. */
  setTheme(floor: Color, shadow: Color): void {
    this.shadowMaterial?.color.copy(floor).lerp(shadow, SHADE);
  }

  /** Takes the pose of a time. */
  setTime(seconds: number): void {
    if (this.seconds > 0) this.mixer.setTime(Math.min(Math.max(0, seconds), this.seconds - 1e-5));
  }

  /** Seen through, so that coloured joints show. */
  setGlass(on: boolean): void {
    if (on === this.glass) return;
    this.glass = on;
    for (const material of this.meshes.flatMap(materialsOf)) {
      const kept = material.userData as { opaque?: [boolean, number, boolean] };
      kept.opaque ??= [material.transparent, material.opacity, material.depthWrite];
      [material.transparent, material.opacity, material.depthWrite] = on ? [true, GLASS, false] : kept.opaque;
      material.needsUpdate = true;
    }
  }

  /** How tall it is as it stands now, metres. */
  get height(): number {
    this.group.updateWorldMatrix(true, true);
    return new Box3().setFromObject(this.group, true).getSize(new Vector3()).y;
  }

  dispose(): void {
    this.mixer.stopAllAction();
    this.shadowMaterial?.dispose();
    for (const mesh of this.meshes) {
      mesh.geometry.dispose();
      for (const material of materialsOf(mesh)) {
        for (const value of Object.values(material)) {
          const texture = value as { isTexture?: boolean; dispose?: () => void } | null;
          if (texture?.isTexture) texture.dispose?.();
        }
        material.dispose();
      }
      (mesh as SkinnedMesh).skeleton?.dispose();
    }
    this.group.removeFromParent();
  }
}

function materialsOf(mesh: Mesh): Material[] {
  return Array.isArray(mesh.material) ? mesh.material : [mesh.material];
}

/** There is nothing around the stage that metal could show: it would be black. */
function matte(material: Material): void {
  const standard = material as MeshStandardMaterial;
  if (!standard.isMeshStandardMaterial) return;
  standard.metalness = Math.min(standard.metalness, 0.2);
  standard.roughness = Math.max(standard.roughness, 0.5);
}

/** Flattened along the light; the skin has bent it before. */
function shadowMaterial(uniforms: SharedUniforms): MeshBasicMaterial {
  const material = new MeshBasicMaterial({ depthWrite: false });
  material.onBeforeCompile = (shader) => {
    shader.uniforms["keyDirection"] = uniforms.keyDirection;
    shader.vertexShader = `uniform vec3 keyDirection;\n${shader.vertexShader}`.replace(
      "#include <project_vertex>",
      /* glsl */ `
      vec4 shade = modelMatrix * vec4(transformed, 1.0);
      shade.xz -= keyDirection.xz / keyDirection.y * max(shade.y, 0.0);
      shade.y = ${SHADOW_M};
      vec4 mvPosition = viewMatrix * shade;
      gl_Position = projectionMatrix * mvPosition;`,
    );
  };
  return material;
}
