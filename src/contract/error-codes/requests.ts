import { row } from './row.ts'

export const requestErrors = {
  // Transport
  REQUEST_TARGET_INVALID: row`400 fix
    The request target is not a safe origin-form path. | 请求路径不合法。
    Use a clean path that starts with a single slash. | 使用以单个斜杠开头的规范路径。
    This link is not valid. Go back and try again. | 链接无效，请返回后重试。`,
  REQUEST_HEADERS_INVALID: row`400 fix
    The request line or a header is malformed. | 请求行或请求头格式错误。
    Send well-formed HTTP/1.1 with printable ASCII header values. | 发送规范的 HTTP/1.1 请求，请求头只用可打印的 ASCII 字符。
    The request was malformed. Reload the page and try again. | 请求格式有误，请刷新页面后重试。`,
  REQUEST_HEADERS_TOO_LARGE: row`431 fix
    There are too many headers, or they are too large. | 请求头过多或过大。
    Send fewer or shorter headers. | 减少或缩短请求头。
    The request was too large. Clear the cookies of this site and try again. | 请求过大，请清除本站 Cookie 后重试。`,
  HTTP_VERSION_UNSUPPORTED: row`505 fix
    Only HTTP/1.1 is supported. | 只支持 HTTP/1.1。
    Send the request as HTTP/1.1. | 改用 HTTP/1.1 发送。
    A proxy uses an unsupported HTTP version. Contact the operator. | 网络代理使用了不支持的 HTTP 版本，请联系运营方。`,
  TRANSFER_ENCODING_UNSUPPORTED: row`400 fix
    Transfer-Encoding is not accepted. | 不接受 Transfer-Encoding。
    Send the body with a single Content-Length. | 发送请求体时只带一个 Content-Length。
    A proxy changed the request. Contact the operator. | 请求被网络代理修改，请联系运营方。`,
  CONTENT_LENGTH_INVALID: row`400 fix
    Content-Length is missing, repeated or not a plain decimal number. | Content-Length 缺失、重复或不是十进制数字。
    Send exactly one valid Content-Length. | 只发送一个有效的 Content-Length。
    A proxy changed the request. Contact the operator. | 请求被网络代理修改，请联系运营方。`,
  REQUEST_BODY_INCOMPLETE: row`400 fix
    Fewer body bytes arrived than Content-Length declared. | 收到的请求体短于 Content-Length。
    Send a new, complete request. | 重新发送完整的请求。
    The request did not arrive completely. Try again. | 请求未完整送达，请重试。`,
  INVALID_JSON: row`400 fix
    The body is not a JSON object in UTF-8 with Content-Type application/json. | 请求体不是 UTF-8 编码的 JSON 对象，或 Content-Type 不是 application/json。
    Fix the body or its Content-Type. | 修正请求体或 Content-Type。
    The request is not a JSON object. Correct it and try again. | 请求不是 JSON 对象，请修改后重试。`,
  UNKNOWN_FIELDS: row`400 fix
    The body has fields outside the contract of this operation. | 请求体含有此接口未定义的字段。
    Remove the unknown fields. | 删除这些字段。
    The request has unknown fields. Remove them and try again. | 请求包含未知字段，请删除后重试。`,
  REQUEST_TIMEOUT: row`408 wait 1
    The request did not arrive completely in time. | 请求未在规定时间内传完。
    Send a new request; for business operations with a new Idempotency-Key. | 重新发送；业务接口请更换 Idempotency-Key。
    The request took too long. Check your connection and try again. | 请求超时，请检查网络后重试。`,
  PAYLOAD_TOO_LARGE: row`413 fix
    The body is larger than the limit. | 请求体超过上限。
    Send a smaller body; the same request will fail again. | 缩小请求体；原样重发仍会失败。
    The request is too large. Make it shorter. | 请求内容过大，请缩短。`,
  HOST_NOT_ALLOWED: row`421 fix
    This host is not served here. | 本网关不提供该域名的服务。
    Use the canonical host. | 使用网关自己的域名。
    The gateway is not available at this address. Use the address from your operator. | 该地址不提供服务，请使用运营方提供的地址。`,
  NOT_FOUND: row`404 fix
    This path does not exist. | 路径不存在。
    Check the path against /openapi.json. | 对照 /openapi.json 检查路径。
    Not found. Check the link or the ID. | 未找到，请检查链接或编号。`,
  METHOD_NOT_ALLOWED: row`405 fix
    This path does not support that method. | 该路径不支持此方法。
    Use a method from the Allow header. | 使用 Allow 响应头列出的方法。
    This page is out of date. Reload it and try again. | 页面版本过旧，请刷新后重试。`,
  INTERNAL_ERROR: row`500 wait 1
    The service failed. | 服务内部出错。
    Back off exponentially and keep the Idempotency-Key. Before repeating a write without one, check whether it took effect. | 按指数退避重试，保持同一个 Idempotency-Key；没有该请求头的写操作，重试前先查询状态。
    The server ran into an error. Wait a moment, and check what happened before you repeat anything. | 服务器出错，请稍候。重复操作前，请先确认之前的结果。`,

  // Common to several resources
  ORIGIN_INVALID: row`403 fix
    The Origin header is not the canonical origin. | Origin 不是网关自己的地址。
    Start from the canonical page. | 从网关自己的页面发起。
    This page was opened at the wrong address. Open the console at its own address. | 页面地址不正确，请使用正确的控制台地址。`,
  CSRF_INVALID: row`403 fix
    The CSRF token does not belong to this session. | CSRF 令牌不属于当前会话。
    Read /v1/me for a fresh token and retry once. | 读取 /v1/me 获取新令牌，重试一次。
    Your session was refreshed in another tab. Reload the page and try again. | 登录状态已在其他标签页更新，请刷新后重试。`,
  GATEWAY_AUTH_REQUIRED: row`401 fix
    The session is missing, invalid, expired or ended. | 会话缺失、无效、过期或已结束。
    Log in again. | 重新登录。
    You are not signed in. Sign in again. | 登录已过期，请重新登录。`,
  RATE_LIMITED: row`429 wait 1
    A rate limit or cooldown applies. | 触发频率限制或冷却时间。
    Wait for the number of seconds in Retry-After. | 按 Retry-After 等待后重试。
    Too many attempts. Wait a moment and try again. | 操作过于频繁，请稍后再试。`,
  IDEMPOTENCY_KEY_REQUIRED: row`400 fix
    Idempotency-Key is missing, empty or longer than 128 characters. | Idempotency-Key 缺失、为空或超过 128 个字符。
    Send a new key for each new call. | 每次新的调用使用一个新值。
    Send an Idempotency-Key of 1 to 128 characters. | 请填写 1 到 128 个字符的 Idempotency-Key。`,
  IDEMPOTENCY_CONFLICT: row`409 fix
    The Idempotency-Key is already bound to another request. | 该 Idempotency-Key 已用于另一个请求。
    Use a new key for a new request. | 新的调用请使用新值。
    This Idempotency-Key was used for a different request. Use a new one. | 该 Idempotency-Key 已用于其他请求，请更换。`,
} as const
