/** The place of the page in the address and in the history of the browser. */
import { useEffect, useState } from 'preact/hooks';
import { type Place, placeOf } from './place.ts';

const currentPlace = (): Place => placeOf(location.hash, history.state);

interface GoOptions {
  readonly trail?: readonly string[];
  /** Whether "back" skips the place before. */
  readonly isSmall?: boolean;
}

export const go = (view: string, query: string, { trail = [], isSmall = false }: GoOptions = {}): void => {
  const address = `#${view}${query === '' ? '' : `?${query}`}`;
  if (isSmall) history.replaceState({ trail }, '', address);
  else history.pushState({ trail }, '', address);
  dispatchEvent(new Event('hashchange'));
};

export const usePlace = (): Place => {
  const [place, setPlace] = useState(currentPlace);
  useEffect(() => {
    const onChange = (): void => setPlace(currentPlace());
    for (const name of ['hashchange', 'popstate']) addEventListener(name, onChange);
    return () => {
      for (const name of ['hashchange', 'popstate']) removeEventListener(name, onChange);
    };
  }, []);
  return place;
};
