import { sentences } from "../ui/format";
import type { ErrorBody } from "./types";

/** A request that failed, in the server's words where it had any. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    /** HTTP status; 0 when the server could not be reached. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly hint: string | null = null,
    /** The part of the request that is wrong, such as `points[3]`. */
    readonly field: string | null = null,
    /** The whole JSON answer: a conflict carries the current rows in it. */
    readonly body: unknown = null,
  ) {
    super(message);
  }

  /** Message and hint in one line, for a toast. */
  get worded(): string {
    return sentences(this.message, this.hint);
  }
}

function isErrorBody(value: unknown): value is ErrorBody {
  return typeof value === "object" && value !== null && typeof (value as ErrorBody).message === "string";
}

/** Reads `{"error": {…}}`; an answer of any other shape (a proxy's page, say) still gets a usable message. */
export function errorFromAnswer(status: number, text: string): ApiError {
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    // Not JSON: the status has to do.
  }
  const error = (body as { error?: unknown } | null)?.error;
  if (isErrorBody(error)) {
    return new ApiError(status, error.code ?? "internal", error.message, error.hint ?? null, error.field ?? null, body);
  }
  return new ApiError(
    status,
    status >= 500 ? "internal" : "bad-request",
    `the server answered ${status}`,
    null,
    null,
    body,
  );
}

export function unreachable(cause: unknown): ApiError {
  const aborted = cause instanceof DOMException && cause.name === "AbortError";
  return aborted
    ? new ApiError(0, "aborted", "the request was given up")
    : new ApiError(0, "unreachable", "the studio's server does not answer", "Is `gaitway studio` still running?");
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) return error.worded;
  return sentences(error instanceof Error ? error.message : String(error), null);
}
