import js from "@eslint/js";
import { defineConfig, globalIgnores } from "eslint/config";
import tseslint from "typescript-eslint";

export default defineConfig(
  // Built, and written by `npm run types`.
  globalIgnores(["src/api/schema.ts"]),
  js.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      // `!= null` asks for null and undefined at once.
      eqeqeq: ["error", "always", { null: "ignore" }],
      // A word the server gets new must be seen wherever words are told apart.
      "@typescript-eslint/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "@typescript-eslint/no-deprecated": "error",
      // `const { left, out, ...rest } = whole` is how fields are left out.
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
    },
  },
  // Who looks at the page does not look at its console; tests print to theirs.
  { files: ["src/**"], rules: { "no-console": "error" } },
  // The settings of the tools are in no TypeScript project.
  { files: ["*.js"], extends: [tseslint.configs.disableTypeChecked] },
);
