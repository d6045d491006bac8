import { row } from './row.ts'

export const callErrors = {
  // Business calls: access and money
  UNAUTHORIZED: row`401 fix
    The API key is missing, invalid or revoked. | API 密钥缺失、无效或已吊销。
    Use a valid key of the project. | 使用本项目的有效密钥。
    The key is missing, wrong or revoked. Use a valid key of this project. | 密钥缺失、错误或已吊销，请使用本项目的有效密钥。`,
  KEY_EXPIRED: row`401 fix
    The API key has expired. | API 密钥已过期。
    Create a new key. | 新建密钥。
    The key has expired. Create a new one. | 密钥已过期，请新建。`,
  FORBIDDEN: row`403 fix
    The API key lacks the scope for this operation. | API 密钥没有此接口的权限。
    Create a key with that scope. | 新建具有该权限的密钥。
    The key does not have permission for this operation. Use a key that has it. | 密钥没有该接口的权限，请更换密钥。`,
  INSUFFICIENT_PAID_CREDITS: row`402 fix
    The available credits do not cover the price; nothing was forwarded. | 余额不足，请求未转发。
    Recharge, then send the same request again. | 充值后重发同一请求。
    Not enough credits, and nothing was sent. Add credits, then send the same call again. | 余额不足，调用未发出。请充值后重新发送。`,

  // Business calls: fields
  INVALID_PROMPT: row`400 fix
    The prompt is missing, blank or not a string. | 提示词缺失、为空白或不是字符串。
    Send a non-empty prompt. | 发送非空的提示词。
    Enter a prompt. | 请输入提示词。`,
  INVALID_MODEL: row`400 fix
    The model is blank or not a string. | 模型名为空白或不是字符串。
    Name a model, or leave it out. | 省略，或填写模型名。
    Enter a model name, or leave it empty. | 请填写模型名称，或留空。`,
  MODEL_NOT_ALLOWED: row`400 fix
    The provider does not offer this model. | 服务商不提供该模型。
    Name a model of the provider, or leave it out. | 填写服务商提供的模型，或省略。
    The provider does not have this model. Choose one from the list, or leave it empty. | 服务商不提供该模型，请从列表中选择，或留空。`,
  INVALID_PARAMETER: row`400 fix
    A parameter has the wrong type or value. | 参数的类型或取值不正确。
    Correct the parameter that param names. | 修正 param 指出的参数。
    A parameter is not valid. Correct it and try again. | 参数不正确，请修改后重试。`,
  UNSUPPORTED_PARAMETER: row`400 fix
    A parameter is not supported. | 不支持该参数。
    Leave out the parameter that param names. | 去掉 param 指出的参数。
    A parameter is not supported. Leave it out. | 不支持该参数，请去掉。`,
  PROMPT_TOO_LARGE: row`413 fix
    The prompt is longer than the provider accepts. | 提示词超过服务商的长度上限。
    Shorten the prompt. | 缩短提示词。
    The prompt is too long for this provider. Make it shorter. | 提示词过长，请缩短。`,
  PROVIDER_NOT_ALLOWED: row`400 fix
    The provider is not available here. | 该服务商不可用。
    Use one of the listed providers, or leave it out. | 填写文档列出的服务商，或省略。
    This provider is not available, or both provider and providers were sent. Choose one. | 该服务商不可用，或同时填写了 provider 和 providers，请只选一项。`,
  INVALID_QUERY: row`400 fix
    The query is missing, blank or not a string. | 搜索词缺失、为空白或不是字符串。
    Send a non-empty query. | 发送非空的搜索词。
    Enter what to search for. | 请输入搜索内容。`,
  INVALID_LIMIT: row`400 fix
    The limit is not an integer from 1 to 3. | limit 须为 1 到 3 的整数。
    Correct the limit. | 修正 limit。
    The limit must be a whole number from 1 to 3. | 数量须为 1 到 3 的整数。`,
  INVALID_SORT: row`400 fix
    The sort order is unknown. | 未知的排序方式。
    Use price_asc or relevance. | 使用 price_asc 或 relevance。
    Sort by price_asc or relevance. | 排序须为 price_asc 或 relevance。`,
  INVALID_FILTERS: row`400 fix
    The filters or criteria are malformed. | 筛选条件格式错误。
    Send only maxPriceCents, an integer of 0 or more. | 只发送 maxPriceCents，值为不小于 0 的整数。
    The maximum price must be a whole number of fen, 0 or more. | 最高价格须为不小于 0 的整数，单位为分。`,
  INVALID_ITEM_REFS: row`400 fix
    The list of item references is malformed, too short, too long or repeats an item. | 商品列表格式错误、数量不符或有重复。
    Send distinct references within the stated count. | 发送不重复且数量符合要求的商品。
    List different products, as many as the operation allows. | 请填写不重复的商品，数量须符合要求。`,
  INVALID_ITEM_REF: row`400 fix
    An item reference is malformed. | 商品引用格式错误。
    Send provider and productId as a search returned them. | 按搜索返回的 provider 和 productId 填写。
    Enter the provider and product ID that a search returned. | 请填写搜索结果中的服务商和商品编号。`,
  INVALID_PREFERENCES: row`400 fix
    The preferences are malformed. | 偏好格式错误。
    Send only priority: price or balanced. | 只发送 priority，取值 price 或 balanced。
    The priority must be price or balanced. | 偏好须为 price 或 balanced。`,
  INVALID_REQUIREMENTS: row`400 fix
    The requirements are not a list of at most 5 strings. | 要求须为字符串列表，最多 5 个。
    Correct the list. | 修正列表。
    List at most 5 requirements. | 最多 5 条要求。`,
  INVALID_ARGUMENTS: row`400 fix
    The tool arguments are malformed. | 工具参数格式错误。
    Send an object with only operation and payload. | 发送只含 operation 和 payload 的对象。
    The tool accepts only an operation and a payload. | 工具只接受 operation 和 payload。`,
  INVALID_SECONDS: row`400 fix
    The length of the clip is not 2, 4 or 8 seconds. | 视频时长须为 2、4 或 8 秒。
    Send 2, 4 or 8, or leave it out. | 填写 2、4 或 8，或省略。
    A clip can be 2, 4 or 8 seconds long. | 视频时长只能是 2、4 或 8 秒。`,
  INVALID_SIZE: row`400 fix
    The size of the clip is unknown. | 不支持的视频尺寸。
    Send 480x270 or 854x480, or leave it out. | 填写 480x270 或 854x480，或省略。
    Choose one of the listed sizes. | 请选择列出的尺寸。`,
  TOOL_NOT_ALLOWED: row`403 fix
    The agent may not use this tool. | 智能体不能使用该工具。
    Use pick.assist. | 使用 pick.assist。
    The agent can only use pick.assist. | 智能体只能使用 pick.assist。`,
  TOOL_OPERATION_NOT_ALLOWED: row`403 fix
    The tool may not run this operation. | 该工具不能执行此操作。
    Use search, filter, compare, recommend or prepurchase_review. | 使用 search、filter、compare、recommend 或 prepurchase_review。
    The tool accepts search, filter, compare, recommend or prepurchase_review. | 工具支持 search、filter、compare、recommend 或 prepurchase_review。`,

  // What a key may know
  CHARGE_NOT_FOUND: row`404 fix
    This key has no such charge. | 该密钥没有这笔扣费。
    Check the charge id. | 检查扣费编号。
    This key has no such call. | 该密钥没有这次调用。`,

  // Receipts
  ENTRY_NOT_FOUND: row`404 fix
    There is no such ledger entry in this project. | 项目中没有该收支记录。
    Check the number of the entry. | 检查记录的序号。
    This entry is not in your ledger. | 收支明细中没有该记录。`,
  STATEMENT_NOT_FOUND: row`404 fix
    There is no statement for this month: it is in the future, before the project was created, or archived. | 没有该月的对账单：月份未到、早于项目创建或已归档。
    Ask for another month, as YYYY-MM. | 换一个月份，格式为 YYYY-MM。
    There is no statement for this month. | 没有该月的对账单。`,
  SINCE_INVALID: row`400 fix
    The value of since is not the size of a published tree. | since 不是已发布的树的大小。
    Send the size from an older checkpoint. | 填写旧检查点中的大小。
    The checkpoint is newer than the log. | 检查点比当前日志更新。`,

  // Media jobs
  JOB_NOT_FOUND: row`404 fix
    There is no such job in this project. | 项目中没有该任务。
    Check the job id. | 检查任务编号。
    There is no such job in this project. | 项目中没有该任务。`,
  JOB_NOT_CANCELLABLE: row`409 fix
    The job cannot be cancelled in its current state. | 任务当前状态无法取消。
    Read the job to see its current status. | 查询任务的当前状态。
    This job cannot be cancelled now. | 该任务当前无法取消。`,
  JOB_NOT_FINISHED: row`409 fix
    The job has no content: it is not finished, or it failed. | 任务没有内容：尚未完成或已失败。
    Read the job and try again once it is completed. | 查询任务，待状态变为 completed 后再试。
    This job has no video yet. | 该任务尚未生成视频。`,
  CONTENT_EXPIRED: row`410 never
    The content of the job is no longer kept. | 任务内容已过保存期。
    Create a new job. | 重新创建任务。
    This video is no longer kept. | 视频已过保存期。`,
  RANGE_NOT_SATISFIABLE: row`416 fix
    The range begins after the end of the content. | 请求的范围超出了内容的长度。
    Ask for a range within the content. | 请求内容之内的范围。
    The requested part is beyond the end of the video. | 请求的部分超出了视频的长度。`,

  // Business calls: providers
  MANUAL_REVIEW: row`403 never
    The outcome of the call is unknown; the credits stay reserved until an operator decides. | 调用结果不明，点数保持冻结，等待运营方确认。
    Do not repeat the call. Include the charge ID when you contact the operator. | 不要重复调用；联系运营方时请提供扣费编号。
    The outcome is not known yet. The operator will decide. | 结果待确认，由运营方处理。`,
  ADAPTER_FAILURE: row`502 fix
    The adapter failed before a confirmed success; the credits were released. | 调用在确认成功前失败，点数已退回。
    Retry with a new Idempotency-Key once the cause is fixed. | 问题解决后，用新的 Idempotency-Key 重新调用。
    The call failed, and your credits were released. Try a new call later. | 调用失败，费用已退回，请稍后重新调用。`,
  PROVIDER_CONTRACT_INVALID: row`502 fix
    The provider refused the call, or its response breaks the contract. | 服务商拒绝了请求，或返回了不符合约定的结果。
    Retry only if the credits were released; otherwise treat it as manual_review. | 确认点数已退回再重试，否则按待确认处理。
    The provider sent an invalid response, and your credits were released. Try a new call later. | 服务商返回了无效的响应，费用已退回，请稍后重新调用。`,
  PROVIDER_REQUEST_REJECTED: row`502 fix
    The provider rejected the request. | 服务商拒绝了请求。
    Fix the request and send it with a new Idempotency-Key. | 修正请求，并更换 Idempotency-Key 后发送。
    The provider rejected the request, and your credits were released. Change it and try a new call. | 服务商拒绝了请求，费用已退回，请修改后重新调用。`,
  PROVIDER_REDIRECT_FORBIDDEN: row`502 never
    The provider responded with a redirect, which is never followed. | 服务商返回了重定向，网关不会跟随。
    Do not follow it. | 不要跟随。
    The provider tried to redirect, which is not allowed. Your credits were released. | 服务商返回了重定向，已被拦截，费用已退回。`,
  PROVIDER_LINK_FORBIDDEN: row`502 never
    The provider returned a link outside the allow-list. | 服务商返回了允许范围之外的链接。
    Do not open it. | 不要打开。
    The provider returned a link that is not allowed. Your credits were released. Do not open it. | 服务商返回了不允许的链接，费用已退回，请勿打开该链接。`,
  PROVIDER_UNAVAILABLE: row`503 wait 5
    The provider is unavailable. | 服务商暂不可用。
    Back off; check that the call is not in manual_review. | 退避后重试，并先确认该调用不在待确认状态。
    The provider cannot be reached. Try again later. | 暂时无法连接服务商，请稍后重试。`,
  PROVIDER_DISABLED: row`503 never
    The provider is out of service. | 该服务商已停用。
    Do not retry; name another provider. | 不要重试，改用其他服务商。
    This provider is out of service. Choose another. | 该服务商已停用，请更换。`,
  PROVIDER_AUTH_REQUIRED: row`503 never
    The credentials for the provider are not available. | 网关没有该服务商的凭证。
    Wait for the operator to fix it. | 需要运营方处理。
    The gateway has no credentials for this provider. Contact the operator. | 网关未配置该服务商的凭证，请联系运营方。`,
  PROVIDER_CIRCUIT_OPEN: row`503 wait 10
    The provider kept failing, so calls to it are paused. | 服务商连续失败，已暂停调用。
    Wait before the next call. | 稍后再调用。
    The provider failed several times and is paused. Try again later. | 服务商连续失败，已暂停调用，请稍后重试。`,
  PROVIDER_RATE_LIMITED: row`503 wait 5
    The provider is rate limiting calls. | 服务商限制了调用频率。
    Back off and send a new request. | 退避后发送新的请求。
    The provider is receiving too many calls. Wait, then try a new call. | 服务商限流，请稍后重新调用。`,
  PROVIDER_CAPACITY_EXHAUSTED: row`503 wait 1
    Too many calls are in progress, in the gateway or to the provider; nothing was forwarded. | 网关或服务商的并发调用已达上限，请求未转发。
    Retry after a short wait. | 稍等片刻后重试。
    Too many calls are in progress, and nothing was sent. Try again in a moment. | 进行中的调用过多，本次未发出，请稍后重试。`,
  PROVIDER_CAPABILITY_UNSUPPORTED: row`409 fix
    Only items that a search returned to this project can be read. | 只能使用本项目搜索返回的商品。
    Search first in the same project. | 先在同一项目中搜索。
    Only products from your own searches can be used. Search first. | 只能使用您搜索到的商品，请先搜索。`,
} as const
