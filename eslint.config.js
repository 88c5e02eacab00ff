import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      'node_modules/',
      'dist/',
      'coverage/',
      'swagger-static/',
      'clients/*/src/generated/',
      'functions/opamp/protocol/generated/',
      'gateway/protocol/generated/',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-restricted-syntax': [
        'error',
        {
          selector: 'ImportDeclaration[source.value=/^zod/] > ImportSpecifier',
          message: "Use `import * as z from 'zod/mini'`: named imports pull every locale into the bundle (+360 kB).",
        },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }],
      // Shapes known only at run time add nothing to a type, on purpose (functions/domain/fields/options.ts).
      '@typescript-eslint/no-generated-empty-object-type': 'off',
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'fast-check', message: 'Import shared/testing/fast-check.ts: it fixes the seed.' }] },
      ],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['**/*.test.{ts,tsx}', 'tests/**/*.ts', 'shared/testing/**/*.ts', 'console/testing/**'],
    rules: {
      '@typescript-eslint/consistent-type-assertions': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
    },
  },
  {
    files: ['functions/**/*.ts', 'shared/**/*.ts', 'gateway/**/*.ts'],
    ignores: ['**/*.test.ts', 'shared/testing/**'],
    rules: {
      'max-lines-per-function': ['error', { max: 60 }],
      'max-lines': ['error', { max: 300 }],
    },
  },
  {
    // A component has less than 80 lines, its markup included.
    files: ['console/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: {
      'max-lines-per-function': ['error', { max: 79 }],
      'max-lines': ['error', { max: 300 }],
    },
  },
  // Only the CDK has enums; `erasableSyntaxOnly` forbids our own. The rule takes a fifth of the time of the linter.
  {
    files: ['**/*.ts', '**/*.tsx'],
    ignores: ['infra/**', 'tests/deploy/**'],
    rules: { '@typescript-eslint/no-unsafe-enum-assignment': 'off' },
  },
  { files: ['shared/testing/fast-check.ts'], rules: { 'no-restricted-imports': 'off' } },
  // The type of Lambda's context still demands the callbacks that Lambda has given up.
  { files: ['local/gateway/lambda-context.ts'], rules: { '@typescript-eslint/no-deprecated': 'off' } },
  { files: ['**/*.js', '**/*.mjs'], extends: [tseslint.configs.disableTypeChecked] },
);
