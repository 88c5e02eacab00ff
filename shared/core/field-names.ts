/** The names in a text such as `a, b`. */
export function fieldNames(text: string): string[] {
  return text.split(',').map((name) => name.trim());
}
