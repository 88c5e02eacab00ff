import { labelOf } from './words.ts';

/** A value of any field in words. */
export function valueText(value: unknown): string {
  if (value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(String).join(', ');
  if (typeof value === 'object' && value !== null) {
    const parts = Object.entries(value).map(([name, part]) => `${labelOf(name)}: ${valueText(part)}`);
    return parts.length === 0 ? '-' : parts.join(', ');
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '-';
}
