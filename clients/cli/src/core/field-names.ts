/**
 * The name of a field without the kind of its object, with hyphens. A person can write a field in each spelling that has
 * this form: `node_model`, `model`, `node-model` are one field of a node.
 */
const shortForm = (kind: string | undefined, text: string): string => {
  const name = text.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replace(/[._]/g, '-');
  return kind !== undefined && name.startsWith(`${kind}-`) ? name.slice(kind.length + 1) : name;
};

/** `node_type` of a node is the option `--type`. */
export const flagOf = (kind: string, field: string): string => shortForm(kind, field);

/** The name of a field or filter of the API, by any of its spellings. A name as the API has it is never another field. */
export function fieldNamed<Name extends string>(
  kind: string | undefined,
  names: readonly Name[],
  text: string,
): Name | undefined {
  const short = shortForm(kind, text);
  return names.find((name) => name === text) ?? names.find((name) => shortForm(kind, name) === short);
}

/** The name of the label in `label.team`, which is `custom_labels.team` in the API; undefined for other texts. */
export const labelIn = (text: string): string | undefined => /^(?:label|labels|custom_labels)\.([^]+)$/.exec(text)?.[1];
