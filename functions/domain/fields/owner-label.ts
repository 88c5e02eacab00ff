import { standardLabels } from './filterable-labels.ts';
import { objectKinds } from './object-kind.ts';

/** The label whose values are owners, unless the deployment names another one. */
export const DEFAULT_OWNER_LABEL = 'team';

export const OWNER_LABEL_WANTED =
  'the name of a custom label, such as team, or environment: at most 128 letters, digits and underscores';

/** The attributes that are no owner: each names one object, or belongs to one kind. */
const attributes: ReadonlySet<string> = new Set(objectKinds.flatMap((kind) => [...standardLabels[kind].keys()]));

/** Whether a label can be the owner label: a custom label, or the environment. */
export const isOwnerLabel = (name: string): boolean =>
  /^(?!__)[a-zA-Z_][a-zA-Z0-9_]{0,127}$/.test(name) && (name === 'environment' || !attributes.has(name));
