/**
 * Gives a class the other members of a class of the web, which read them from a full object. The full object is made when one of them is
 * used. Returns the class with the type that it then has.
 */
export const completeWith = <Args extends unknown[], Light extends object, Full extends object>(
  light: new (...args: Args) => Light,
  full: { readonly prototype: Full },
  toFull: (one: Light) => Full,
): (new (
  ...args: Args
) => Light & Full) => {
  for (const name of Object.getOwnPropertyNames(full.prototype)) {
    if (Object.hasOwn(light.prototype, name)) continue;
    Object.defineProperty(light.prototype, name, {
      get(this: Light) {
        const one = toFull(this);
        const member: unknown = Reflect.get(one, name);
        return typeof member === 'function' ? member.bind(one) : member;
      },
    });
  }
  Object.setPrototypeOf(light.prototype, full.prototype);
  return Object.setPrototypeOf(light, full);
};
