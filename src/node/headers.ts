import { completeWith } from './light.ts';

/**
 * Headers without the check and sort of Node's own, which cost more than to find a plant. Node has checked the headers of a message
 * when it has read them, and it checks those of a response when it writes them. No cookies are set.
 */
class LightHeaders {
  /** By the name in lower case. */
  readonly #values = new Map<string, string>();

  append(name: string, value: string): void {
    check(name, value);
    this.add(name, value);
  }
  /** As `append`, for a value that is valid. */
  add(name: string, value: string): void {
    const key = name.toLowerCase();
    const before = this.#values.get(key);
    this.#values.set(key, before === undefined ? value : `${before}${key === 'cookie' ? '; ' : ', '}${value}`);
  }
  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }
  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }
  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }
  set(name: string, value: string): void {
    check(name, value);
    this.#values.set(name.toLowerCase(), value);
  }
  entries(): MapIterator<[string, string]> {
    return this.#values.entries();
  }
  [Symbol.iterator](): MapIterator<[string, string]> {
    return this.#values.entries();
  }
}

/** As early as Headers does it, since an error at the write could not become a response. */
const check = (name: string, value: string): void => {
  if (invalidInValue.test(value)) throw new TypeError(`Invalid value of the header ${name}`);
};

/** RFC 9110 §5.5. */
const invalidInValue = /[^\t\x20-\x7e\x80-\xff]/;

/** Other members read a copy, which is made at each use, since headers may change. */
const PlainHeaders = completeWith(LightHeaders, Headers, (light) => new Headers([...light]));

export const toHeaders = (entries: Iterable<readonly (string | undefined)[]>): Headers => {
  const headers = new PlainHeaders();
  for (const [name = '', value = ''] of entries) headers.append(name, value);
  return headers;
};

/** From the names and values in turn of a message that Node has read. */
export const readHeaders = (list: readonly string[]): Headers => {
  const headers = new PlainHeaders();
  for (let index = 0; index < list.length; index += 2) headers.add(list[index] ?? '', list[index + 1] ?? '');
  return headers;
};
