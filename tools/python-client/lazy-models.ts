const IMPORT = /^from \.(\w+) import (?:\(\s*(\w+),?\s*\)|(\w+))$/gm;

/**
 * The package of models that imports a model when it is first used: all of them take most of a second.
 *
 * @param text the generated `__init__.py`.
 * @throws Error if it is not of the known form.
 */
export function lazyModels(text: string): string {
  const models = [...text.matchAll(IMPORT)].map(([, module = '', wrapped, single]) => [
    wrapped ?? single ?? '',
    module,
  ]);
  const all = /^__all__ = \([\s\S]*?^\)\n/m.exec(text)?.[0] ?? '';
  const count = [...all.matchAll(/"\w+"/g)].length;
  if (models.length === 0 || models.length !== count)
    throw new Error(`The package of models has another form: ${models.length} imports, ${count} names.`);
  return `"""The classes of bodies and replies. Each is imported when it is first used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
${models.map(([name, module]) => `    from .${module} import ${name} as ${name}\n`).join('')}
${all}
_MODULES = {
${models.map(([name, module]) => `    "${name}": "${module}",\n`).join('')}}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{_MODULES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
`;
}
