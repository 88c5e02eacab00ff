import { constants, createContext } from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/**
 * Jest's environment for Node, with an ordinary global object. Jest's own has a proxy behind an interceptor there, which every
 * `Array` or `Object` in the code under test goes through: the AWS SDK takes several times its CPU time with it.
 */
export default class OrdinaryGlobals extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    const global = createContext(constants.DONT_CONTEXTIFY);
    const isIntrinsic = (name) => Object.hasOwn(global, name) && !SHARED.has(name);
    for (const name of Reflect.ownKeys(this.global)) if (!isIntrinsic(name)) copyGlobal(this.global, global, name);
    global.global = global;
    global.Error.stackTraceLimit = 100;
    this.context = global;
    this.global = global;
    this.moduleMocker = new this.moduleMocker.constructor(global);
    this.fakeTimersModern = new this.fakeTimersModern.constructor({ config: config.projectConfig, global });
  }
}

/** Intrinsics that Jest takes from Node's own realm: its buffers are made of them. */
const SHARED = new Set(['Buffer', 'ArrayBuffer', 'Uint8Array']);

/** An accessor gives its value once: Node and Jest make their globals when they are first asked for. */
function copyGlobal(source, target, name) {
  const descriptor = Object.getOwnPropertyDescriptor(source, name);
  if ('value' in descriptor || !descriptor.configurable) {
    Object.defineProperty(target, name, descriptor);
    return;
  }
  const define = (value) =>
    Object.defineProperty(target, name, {
      configurable: true,
      enumerable: descriptor.enumerable,
      writable: true,
      value,
    });
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: descriptor.enumerable,
    get: () => {
      const value = source[name];
      define(value);
      return value;
    },
    set: define,
  });
}
