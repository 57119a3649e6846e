/** A failure that the client gets, with its status. Everything else that is thrown is a defect. */
export class AppError extends Error {
  readonly status: 401 | 404 | 409;

  constructor(status: AppError['status'], message: string) {
    super(message);
    this.status = status;
  }
}

export const unauthorized = () => new AppError(401, 'The bearer token is missing or invalid.');
export const noPlant = () => new AppError(404, 'There is no plant with this id.');
export const idTaken = () => new AppError(409, 'Another plant has this id.');
