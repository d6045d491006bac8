import { row } from './requests.ts'

/** Errors of business calls and media jobs. */
export const callErrors = {
  // Business calls: access and money
  UNAUTHORIZED: row(401, 'The API key is missing, invalid or revoked.', 'Use a valid key of the project.'),
  KEY_EXPIRED: row(401, 'The API key has expired.', 'Create a new key.'),
  FORBIDDEN: row(403, 'The API key lacks the scope of this operation.', 'Create a key with that scope.'),
  INSUFFICIENT_PAID_CREDITS: row(
    402,
    'The available credits do not cover the price; nothing was forwarded.',
    'Recharge, then send the same intent again.',
  ),

  // Business calls: fields
  INVALID_PROMPT: row(400, 'The prompt is missing, blank or not a string.', 'Send a non-empty prompt.'),
  INVALID_MODEL: row(400, 'The model is blank or not a string.', 'Name a model, or leave it out.'),
  MODEL_NOT_ALLOWED: row(
    400,
    'The provider does not offer this model.',
    'Name a model of the provider, or leave it out.',
  ),
  PROMPT_TOO_LARGE: row(413, 'The prompt is longer than the provider accepts.', 'Shorten the prompt.'),
  PROVIDER_NOT_ALLOWED: row(
    400,
    'The provider is not available here.',
    'Use one of the listed providers, or leave it out.',
  ),
  INVALID_QUERY: row(400, 'The query is missing, blank or not a string.', 'Send a non-empty query.'),
  INVALID_LIMIT: row(400, 'The limit is not an integer from 1 to 3.', 'Correct the limit.'),
  INVALID_SORT: row(400, 'The sort order is unknown.', 'Use price_asc or relevance.'),
  INVALID_FILTERS: row(
    400,
    'The filters or criteria are malformed.',
    'Send only maxPriceCents, an integer of 0 or more.',
  ),
  INVALID_ITEM_REFS: row(
    400,
    'The list of item references is malformed, too short, too long or repeats an item.',
    'Send distinct references within the stated count.',
  ),
  INVALID_ITEM_REF: row(
    400,
    'An item reference is malformed.',
    'Send provider and productId as a search returned them.',
  ),
  INVALID_PREFERENCES: row(400, 'The preferences are malformed.', 'Send only priority: price or balanced.'),
  INVALID_REQUIREMENTS: row(400, 'The requirements are not a list of at most 5 strings.', 'Correct the list.'),
  INVALID_ARGUMENTS: row(400, 'The tool arguments are malformed.', 'Send an object with only operation and payload.'),
  INVALID_SECONDS: row(400, 'The length of the clip is not 2, 4 or 8 seconds.', 'Send 2, 4 or 8, or leave it out.'),
  INVALID_SIZE: row(400, 'The size of the clip is unknown.', 'Send 480x270 or 854x480, or leave it out.'),
  TOOL_NOT_ALLOWED: row(403, 'The agent may not use this tool.', 'Use pick.assist.'),
  TOOL_OPERATION_NOT_ALLOWED: row(
    403,
    'The tool may not run this operation.',
    'Use search, filter, compare, recommend or prepurchase_review.',
  ),

  // Media jobs
  JOB_NOT_FOUND: row(404, 'There is no such job in this project.', 'Check the job id.'),
  JOB_NOT_CANCELLABLE: row(
    409,
    'The job can no longer be cancelled, or not yet.',
    'Read the job to see where it stands.',
  ),
  JOB_NOT_FINISHED: row(
    409,
    'The job has no content: it is not finished, or it failed.',
    'Read the job and try again once it is completed.',
  ),
  CONTENT_EXPIRED: row(410, 'The content of the job is no longer kept.', 'Create a new job.'),
  RANGE_NOT_SATISFIABLE: row(
    416,
    'The range begins after the end of the content.',
    'Ask for a range within the content.',
  ),

  // Business calls: providers
  ADAPTER_FAILURE: row(
    502,
    'The adapter failed before a confirmed success; the credits were released.',
    'Retry with a new Idempotency-Key once the cause is fixed.',
  ),
  PROVIDER_CONTRACT_INVALID: row(
    502,
    'The provider refused the call, or its response breaks the contract.',
    'Retry only if the credits were released; otherwise treat it as manual_review.',
  ),
  PROVIDER_REQUEST_REJECTED: row(
    502,
    'The provider rejected the request.',
    'Fix the request and send it with a new Idempotency-Key.',
  ),
  PROVIDER_REDIRECT_FORBIDDEN: row(
    502,
    'The provider responded with a redirect, which is never followed.',
    'Do not follow it.',
  ),
  PROVIDER_LINK_FORBIDDEN: row(502, 'The provider returned a link outside the allow-list.', 'Do not open it.'),
  PROVIDER_UNAVAILABLE: row(
    503,
    'The provider is unavailable.',
    'Back off; check that the call is not in manual_review.',
  ),
  PROVIDER_DISABLED: row(503, 'The provider is disabled in the configuration.', 'Do not retry.'),
  PROVIDER_AUTH_REQUIRED: row(
    503,
    'The credentials for the provider are not available.',
    'Wait for the operator to fix it.',
  ),
  PROVIDER_CIRCUIT_OPEN: row(
    503,
    'The provider kept failing, so calls to it are paused.',
    'Wait before the next call.',
  ),
  PROVIDER_RATE_LIMITED: row(503, 'The provider is rate limiting calls.', 'Back off and send a new request.'),
  PROVIDER_CAPACITY_EXHAUSTED: row(
    503,
    'Too many calls to the provider are under way; nothing was forwarded.',
    'Retry after a short wait.',
  ),
  PROVIDER_CAPABILITY_UNSUPPORTED: row(
    409,
    'Only items that a search returned to this project can be read.',
    'Search first in the same project.',
  ),
} as const
