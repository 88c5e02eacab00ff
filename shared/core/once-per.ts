/**
 * The function, computed once for each object that it is called with. The object must not change afterwards. Nothing is
 * kept longer than the object.
 */
export function oncePer<Subject extends object, Result extends object>(
  compute: (subject: Subject) => Result,
): (subject: Subject) => Result {
  const results = new WeakMap<Subject, Result>();
  return (subject) => {
    const cached = results.get(subject);
    if (cached !== undefined) return cached;
    const result = compute(subject);
    results.set(subject, result);
    return result;
  };
}
