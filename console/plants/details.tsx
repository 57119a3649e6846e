/** One plant, whose id is in the address: it is found on every page, and a link to it can be sent. */
import { useCallback, useEffect } from 'preact/hooks';
import { isExact } from '../api/json.ts';
import type { OnEvents } from '../live/feed.ts';
import { useFocus } from '../parts/focus.ts';
import { Notice } from '../parts/notice.tsx';
import { useLoaded } from '../parts/task.ts';
import { Code, Time } from '../parts/text.tsx';
import { PlantPicture } from '../pictures/plant-picture.tsx';
import { useSession } from '../session.ts';
import { History } from './history.tsx';
import { members, type Plant } from './members.ts';
import { accessTo } from './plant.ts';
import { Value } from './value.tsx';

interface DetailsProps {
  readonly id: string;
  readonly onEdit: (plant: Plant) => void;
  readonly onClose: () => void;
}

export const Details = ({ id, onEdit, onClose }: DetailsProps) => {
  const { api, feed, can, actions } = useSession();
  // What this browser reads of such a plant has the id of another one.
  const canChange = can('plants:write') && isExact(BigInt(id));
  const load = useCallback(async () => (await accessTo(api).read(BigInt(id))).plant, [api, id]);
  const { value: plant, isCurrent, problem, reload } = useLoaded(load);
  const panel = useFocus<HTMLElement>(id);
  useEffect(() => {
    const isOfPlant: OnEvents = (events) => {
      if (events.some((event) => event.id === BigInt(id))) void reload();
    };
    return feed?.subscribe(isOfPlant, reload);
  }, [feed, id, reload]);
  useEffect(() => actions.onEffect(() => void reload()), [actions, reload]);
  return (
    <section class="panel" ref={panel} tabIndex={-1} aria-label={`Plant ${id}`}>
      <h3>
        Plant <Code>{id}</Code>
      </h3>
      <Notice problem={problem} />
      {plant && isCurrent && !problem && (
        <dl class="facts">
          {members.map(({ name, title }) => (
            <div key={name}>
              <dt>{title}</dt>
              <dd>
                <Value name={name} value={plant[name]} />
              </dd>
            </div>
          ))}
          <div>
            <dt>Created</dt>
            <dd>
              <Time at={plant.createdAt} />
            </dd>
          </div>
          <div>
            <dt>Updated</dt>
            <dd>
              <Time at={plant.updatedAt} />
            </dd>
          </div>
        </dl>
      )}
      {plant && isCurrent && !problem && <PlantPicture plant={plant} canChange={canChange} />}
      <History id={id} canRestore={canChange} />
      <p class="actions">
        {plant && isCurrent && !problem && canChange && (
          <button type="button" class="first" onClick={() => onEdit(plant)}>
            Edit
          </button>
        )}
        <button type="button" onClick={onClose}>
          Close
        </button>
      </p>
    </section>
  );
};
