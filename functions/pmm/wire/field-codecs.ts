import { isRecord } from '../../../shared/db/item.ts';
import type { WireType } from '../declarations/field.ts';
import { enumerations, type Generation, nameIn, valueIn } from '../declarations/enums.ts';
import { type Fields, flagIn, given, idIn, mapIn, messageIn, numberIn, textIn, textsIn, wrongType } from './input.ts';

/** How a type of field is read from a request and written in a reply. */
interface FieldCodec {
  /** Our value; undefined: the value zero, which means "none" in an add, and "clear" in a change. */
  read: (input: Fields, name: string) => unknown;
  write: (value: unknown, generation: Generation) => unknown;
}

/** Seconds with a unit. The value zero clears. */
function durationIn(input: Fields, name: string): string | undefined {
  const value = textIn(input, name);
  return value === '' || /^-?0+(\.0+)?s$/.test(value) ? undefined : value;
}

/** The durations of a message: each that is given, null for the value zero. */
function durationsIn(names: readonly string[]) {
  return (input: Fields, name: string): unknown => {
    const message = messageIn(input, name);
    if (message === undefined) return undefined;
    const parts = names.filter((part) => given(message, part) !== undefined);
    return Object.fromEntries(parts.map((part) => [part, durationIn(message, part) ?? null]));
  };
}

/** A fraction of a second has 3, 6 or 9 digits. */
function writeDuration(value: unknown): unknown {
  const [, seconds, fraction = ''] = typeof value === 'string' ? (/^([0-9]+)\.([0-9]+)s$/.exec(value) ?? []) : [];
  if (seconds === undefined) return value ?? null;
  const digits = fraction.replace(/0+$/, '');
  return digits === '' ? `${seconds}s` : `${seconds}.${digits.padEnd(Math.ceil(digits.length / 3) * 3, '0')}s`;
}

function writeDurations(names: readonly string[]) {
  return (value: unknown) => {
    const parts = isRecord(value) ? value : {};
    if (names.every((name) => parts[name] === undefined)) return null;
    return Object.fromEntries(names.map((name) => [name, writeDuration(parts[name])]));
  };
}

const whole: FieldCodec = {
  read: (input, name) => numberIn(input, name) || undefined,
  write: (value) => value ?? 0,
};

const unsigned: FieldCodec = {
  ...whole,
  read: (input, name) => {
    const number = numberIn(input, name);
    if (number < 0) throw wrongType(name, 'uint32');
    return number || undefined;
  },
};

/** A text of white space only is stored as an empty text, as PMM does. */
function labelsIn(input: Fields, name: string): Record<string, string> | undefined {
  const labels = mapIn(input, name);
  if (labels === undefined) return undefined;
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, value.trim() === '' ? '' : value]));
}

function nonEmpty<T extends object>(value: T | undefined): T | undefined {
  return value === undefined || Object.keys(value).length === 0 ? undefined : value;
}

const idCodec = (prefix: string): FieldCodec => ({
  read: (input, name) => idIn(input, name) || undefined,
  write: (value, generation) =>
    typeof value !== 'string' || value === '' ? '' : generation === 2 ? prefix + value : value,
});

const enumCodec = (name: keyof typeof enumerations): FieldCodec => ({
  // An unknown name counts as absent: programs of PMM send names that are no members, such as METRICS_MODE_AUTO.
  read: (input, field) => valueIn(enumerations[name], given(input, field)),
  write: (value, generation) => nameIn(enumerations[name], value, generation),
});

const map: FieldCodec = { read: (input, name) => nonEmpty(mapIn(input, name)), write: (value) => value ?? {} };

const resolutions = ['hr', 'mr', 'lr'];
const rtaOptions = ['collect_interval'];

export const fieldCodecs: Readonly<Record<WireType, FieldCodec>> = {
  string: { read: (input, name) => textIn(input, name) || undefined, write: (value) => value ?? '' },
  bool: { read: (input, name) => flagIn(input, name) || undefined, write: (value) => value ?? false },
  int32: whole,
  uint32: unsigned,
  // A negative size means that the log is not rotated, like 0.
  int64: {
    read: (input, name) => Math.max(0, numberIn(input, name)) || undefined,
    write: (value) => (typeof value === 'number' ? String(value) : '0'),
  },
  duration: { read: durationIn, write: writeDuration },
  strings: {
    read: (input, name) => {
      const wrapped = given(input, name);
      const values = isRecord(wrapped) ? textsIn(wrapped, 'values') : textsIn(input, name);
      return nonEmpty(values);
    },
    write: (value) => value ?? [],
  },
  labels: { read: (input, name) => nonEmpty(labelsIn(input, name)), write: (value) => value ?? {} },
  map,
  resolutions: { read: durationsIn(resolutions), write: writeDurations(resolutions) },
  rta_options: { read: durationsIn(rtaOptions), write: writeDurations(rtaOptions) },
  node_id: idCodec('/node_id/'),
  service_id: idCodec('/service_id/'),
  agent_id: idCodec('/agent_id/'),
  node_type: enumCodec('node_type'),
  service_type: enumCodec('service_type'),
  agent_type: enumCodec('agent_type'),
  agent_status: enumCodec('agent_status'),
  log_level: enumCodec('log_level'),
  metrics_mode: enumCodec('metrics_mode'),
  discover_rds_engine: enumCodec('discover_rds_engine'),
};
