/** Random requests about plants and their pictures, as operations of a history that can be checked: see `linearizable.ts`. */
import { hash } from 'node:crypto';
import { etagOf } from '../../src/http/conditional.ts';
import { typeOf } from '../../src/pictures/file.ts';
import { type PictureFile, versionOfPicture } from '../../src/pictures/picture.ts';
import type { Picture } from '../../src/plants/plant.ts';
import { type Operation, stateOf } from '../faults/support/linearizable.ts';
import { pictureOf } from './pictures/pictures.ts';

export interface Intent {
  readonly id: number;
  readonly method: Operation['method'];
  /** That of the operation. */
  readonly name?: string;
  readonly file?: PictureFile;
  readonly condition?: Version | undefined;
}

/** A version of a plant that a client has seen. */
export interface Version {
  readonly state: string;
  readonly etag: string;
}

export interface Chooser {
  readonly choose: (id: number) => Intent;
  /** Returns a change with another name. */
  readonly rename: (intent: Intent) => Intent;
  /** A later request may have the version as its condition. */
  readonly noteVersion: (id: number, version: Version) => void;
  /** A request with this name may take effect twice, so the name is no condition any more. */
  readonly noteRepeated: (name: string) => void;
}

export const createChooser = (random: () => number): Chooser => {
  const versions = new Map<number, Version>();
  const ambiguous = new Set<string>();
  /** Without a picture again, a plant has another version by the same name. */
  const withoutPictureAgain = new Set<number>();
  let [names, pictures] = [0, 0];
  const createName = (): string => {
    names += 1;
    return `n${names}`;
  };
  const chooseCondition = (id: number): Version | undefined => {
    const version = versions.get(id);
    if (!version || random() >= 0.6) return undefined;
    const [name = '', digest] = version.state.split(' ');
    const isAmbiguous = digest === undefined ? withoutPictureAgain.has(id) : ambiguous.has(digest);
    return isAmbiguous || ambiguous.has(name) ? undefined : version;
  };
  return {
    choose: (id) => {
      const which = random();
      if (which < 0.15) return { id, method: 'GET' };
      if (which < 0.22) return { id, method: 'GET picture' };
      if (which < 0.5) return { id, method: 'POST', name: createName() };
      if (which < 0.7) return { id, method: 'PATCH', name: createName(), condition: chooseCondition(id) };
      if (which < 0.82) {
        pictures += 1;
        const file = pictureOf(pictures);
        return { id, method: 'PUT picture', name: file.picture.digest, file };
      }
      if (which < 0.86) {
        withoutPictureAgain.add(id);
        return { id, method: 'DELETE picture' };
      }
      return { id, method: 'DELETE', condition: chooseCondition(id) };
    },
    rename: (intent) => ({ ...intent, name: createName() }),
    noteVersion: (id, version) => versions.set(id, version),
    noteRepeated: (name) => ambiguous.add(name),
  };
};

/** Its first line, headers and body. */
export const requestOf = ({ id, method, name, file, condition }: Intent) => {
  const [verb = '', picture] = method.split(' ');
  const json = verb === 'POST' ? { id, name } : { name };
  return {
    method: verb,
    path: `/plants${verb === 'POST' ? '' : `/${id}`}${picture === undefined ? '' : '/picture'}`,
    headers: {
      'content-type': file?.picture.type ?? 'application/json',
      ...(condition && { 'if-match': condition.etag }),
    },
    ...(name !== undefined && { body: file?.content ?? JSON.stringify(json) }),
  };
};

export interface Answer {
  /** That of the operation. */
  readonly seen?: string;
  readonly version?: Version;
  /** The number of an error. */
  readonly error?: number;
  /** Undefined of a picture. */
  readonly text?: string;
}

/** Reads a response to its end. No order of requests explains a picture whose headers are of other bytes. */
export const readAnswer = async (method: Intent['method'], response: Response): Promise<Answer> => {
  const etag = response.headers.get('etag');
  const content = Buffer.from(await response.arrayBuffer());
  if (method === 'GET picture' && response.status === 200) {
    const [digest, type] = [hash('sha256', content, 'hex'), response.headers.get('content-type')];
    const isOwn = type === typeOf(content) && etag === etagOf(versionOfPicture({ digest }));
    return { seen: isOwn ? digest : `${digest} as ${type} ${etag}` };
  }
  const text = content.toString();
  if (text === '') return { text };
  const { error, name, picture }: { error?: number; name?: string; picture?: Picture } = JSON.parse(text);
  if (name === undefined) return { text, ...(error !== undefined && { error }) };
  const state = stateOf(name, picture?.digest);
  return { text, seen: state, ...(etag !== null && { version: { state, etag } }) };
};
