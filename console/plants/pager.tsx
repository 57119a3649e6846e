/** The pages of the list. While a page is loaded, no other one can be asked for. */
interface PagerProps {
  readonly page: number;
  /** Such as `1000+`. Null if the service has not counted. */
  readonly total: string | null;
  readonly isLoading: boolean;
  readonly onFirst: (() => void) | undefined;
  readonly onPrevious: (() => void) | undefined;
  readonly onNext: (() => void) | undefined;
}

export const Pager = ({ page, total, isLoading, onFirst, onPrevious, onNext }: PagerProps) => (
  <nav class="pager" aria-label="Pages of the list">
    <button type="button" disabled={isLoading || !onFirst} onClick={onFirst}>
      First page
    </button>
    <button type="button" disabled={isLoading || !onPrevious} onClick={onPrevious}>
      Previous page
    </button>
    <span>
      Page {page}
      {total !== null && ` of ${withCommas(total)} ${total === '1' ? 'plant' : 'plants'}`}
    </span>
    <button type="button" disabled={isLoading || !onNext} onClick={onNext}>
      Next page
    </button>
  </nav>
);

const withCommas = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+(?!\d))/g, ',');
