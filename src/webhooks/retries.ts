/** How long to wait before each attempt after the first, in seconds: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
export const retryDelaysSeconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400] as const;

/** Each delay is longer by up to this fraction, so that deliveries that fail together are not retried together. */
export const jitterMax = 0.1;

/** The attempts of a round that fails. */
export const attemptsMax = retryDelaysSeconds.length + 1;

/** From the shortest delays to the longest, in days, rounded outwards to half days. */
const roundDays = (): string => {
  const halfDays = retryDelaysSeconds.reduce((sum, seconds) => sum + seconds, 0) / (12 * 60 * 60);
  return `${Math.floor(halfDays) / 2} to ${Math.ceil(halfDays * (1 + jitterMax)) / 2} days`;
};

/** For the document and the pages: the schedule of a round that fails, without `Retry-After`. */
export const roundInWords = `${attemptsMax} attempts over ${roundDays()}`;
