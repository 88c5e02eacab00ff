/**
 * One condition on the labels of an object; all conditions of a selector must hold. As in Kubernetes, `notin` and
 * `absent` also hold for an object without the label.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */
export type Requirement = { readonly label: string } & (
  | { readonly operator: 'in'; readonly values: Values }
  | { readonly operator: 'notin'; readonly values: Values }
  | { readonly operator: 'exists' }
  | { readonly operator: 'absent' }
);

export type Values = readonly [string, ...string[]];

/** Characters that a value may contain without quotes. */
export const PLAIN_CHARACTER = /[A-Za-z0-9_.:/-]/;

export const QUOTE = '"';
export const ESCAPE = '\\';
