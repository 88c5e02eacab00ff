/** Whether a client accepts this content coding, by its Accept-Encoding. Without the header it accepts none. */
export function acceptsEncoding(encoding: string, header: string | undefined): boolean {
  return (header ?? '').split(',').some((part) => {
    const [name, quality] = part.split(';');
    return name?.trim().toLowerCase() === encoding && !/^\s*q=0(\.0*)?\s*$/.test(quality ?? '');
  });
}
