import type { Messages } from '../messages.ts'

export const shell: Omit<
  Messages,
  | 'auth'
  | 'errors'
  | 'overview'
  | 'recharge'
  | 'usage'
  | 'receipt'
  | 'ledger'
  | 'reviews'
  | 'keys'
  | 'playground'
  | 'pricing'
  | 'account'
> = {
  product: 'API 中继网关',
  nav: {
    label: '控制台',
    skip: '跳到正文',
    menu: '菜单',
    closeMenu: '关闭菜单',
    money: '账务',
    building: '开发',
    you: '我的',
    overview: '总览',
    recharge: '充值',
    usage: '用量',
    ledger: '账本',
    reviews: '复核',
    keys: '密钥',
    playground: '试用台',
    pricing: '价格与模型',
    account: '账户',
    docs: '接口文档',
    openReviews_other: '{{count}} 次调用在复核中',
  },
  preferences: {
    language: '语言',
    scheme: '配色',
    light: '浅色',
    dark: '深色',
    system: '跟随系统',
  },
  common: {
    credits: '点',
    creditsCount_other: '{{amount}} 点',
    callsCount_other: '{{amount}} 次调用',
    available: '可用',
    copy: '复制',
    copied: '已复制',
    copyFailed: '复制失败，请手动选择文字',
    cancel: '取消',
    close: '关闭',
    loading: '加载中',
    loadMore: '显示更早的',
    lookFurther: '继续往前查找',
    exportCsv: '导出 CSV',
    exportCut: '文件已达到最大行数而被截断。请减少天数，分批导出。',
    tryAgain: '重试',
    none: '无',
    optional: '选填',
    timesIn: '所有时间和日期均为北京时间（UTC+8）。',
    required: '请填写此项。',
    notFound: '没有这个页面。',
    notFoundHint: '地址可能有误，或页面已移动。',
    toOverview: '回到总览',
    showKey: '显示',
    hideKey: '隐藏',
  },
  trouble: {
    title: '操作未成功',
    waitTitle: '请稍候',
    offlineTitle: '网关没有应答',
    offline: '您已离线。页面内容是之前的；此时的操作不会发出。',
    unreachable: '请检查网络后重试。重新读取总是安全的。',
    waitSeconds_other: '{{count}} 秒后可以继续。',
    waitOver: '现在可以继续了。',
    request: '请求 {{id}}',
    crashed: '页面出错了。您的资金和数据不受影响。',
    reload: '重新加载页面',
    starting: '正在打开控制台',
  },
  operations: {
    'agent.run': '运行工具',
    'model.chat': '模型对话',
    'shopping.search': '搜索店铺',
    'pick.compare': '比较商品',
    'pick.filter': '筛选商品',
    'pick.links': '获取商品链接',
    'pick.prepurchase_review': '购前核对',
    'pick.recommend': '按偏好排序',
    'pick.search': '选品搜索',
  },
  chargeStates: {
    reserved: '已预留',
    settled: '已结算',
    released: '已释放',
    manual_review: '复核中',
  },
  reasons: {
    PROVIDER_ANSWERED_TIMEOUT: '服务商表示处理超时。',
    PROVIDER_TIMED_OUT: '发出之后，等待应答超时。',
    PROVIDER_CONNECTION_LOST: '与服务商的连接在应答之前中断。',
    PROVIDER_RESPONSE_CUT: '与服务商的连接在应答中途断开。',
    PROVIDER_RESPONSE_GARBLED: '服务商返回的内容不是有效应答。',
    ADAPTER_FAILED_AFTER_SENDING: '调用发出之后，网关自身出错。',
    INSTANCE_STOPPED_DURING_CALL: '调用进行时，网关停止了运行。',
    INSTANCE_STOPPED_BEFORE_FORWARDING: '尚未转发任何内容，网关就停止了运行。',
  },
  keyStates: { active: '有效', revoked: '已吊销', expired: '已过期' },
  orderStates: { pending: '待支付', simulated_paid: '已支付（模拟）', credited: '已到账' },
  scopes: {
    'models:invoke': '与模型对话',
    'shopping:search': '搜索店铺',
    'pick:read': '搜索、筛选、比较和核对商品',
    'pick:link': '生成商品链接',
    'agent:run': '运行购物代理',
  },
}
