/**
 * Calls `onDefine` with every object that gets a property by a function that can make one which is not
 * enumerable. All other ways to add a property make one that shows in a list of the object's keys.
 */
export function watchDefinitions(onDefine: (target: unknown) => void): void {
  const watch = (owner: object, name: string): void => {
    const original = Reflect.get(owner, name) as (...args: unknown[]) => unknown;
    const watched = {
      [name](this: unknown, ...args: unknown[]): unknown {
        onDefine(args[0]);
        return apply(original, this, args);
      },
    }[name] as typeof original;
    Reflect.defineProperty(watched, "length", { value: original.length, configurable: true });
    Reflect.defineProperty(owner, name, {
      ...Reflect.getOwnPropertyDescriptor(owner, name),
      value: watched,
    });
  };
  watch(Object, "defineProperty");
  watch(Object, "defineProperties");
  watch(Reflect, "defineProperty");
  const { captureStackTrace } = Error;
  Error.captureStackTrace = function watched(target, below = watched) {
    onDefine(target);
    captureStackTrace(target, below);
  };
}

const { apply } = Reflect;
