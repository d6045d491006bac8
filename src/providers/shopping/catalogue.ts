import type { Item } from '../../contract/schemas/products.ts'

/** Home and kitchen first. One product a line: id | title | fen | availability | highlights | extra search terms. */
const shopA = `
a-1001 | 不锈钢保温杯 500ml | 4900 | available | 304 不锈钢、防漏杯盖 | 水杯 杯子 thermos cup bottle mug
a-1002 | 真空保温壶 2L 家用热水瓶 | 12900 | available | 24 小时保温、玻璃内胆 | 热水壶 thermos kettle bottle
a-1003 | 手冲咖啡壶套装 含滤杯 | 15900 | available | 耐热玻璃、附 40 张滤纸、600ml | coffee dripper pot
a-1004 | 阿拉比卡咖啡豆 中度烘焙 500g | 6800 | available | 当周烘焙、坚果风味 | 咖啡 coffee beans
a-1005 | 便携手摇磨豆机 | 9900 | unknown | 陶瓷磨芯、可调粗细 | 咖啡 磨豆 coffee grinder
a-1006 | 铸铁炒锅 32cm 无涂层 | 19900 | available | 明火电磁炉通用、附木盖 | 锅具 厨房 wok pan kitchen
a-1007 | 多功能电饭煲 4L | 29900 | available | 预约定时、陶瓷内胆、三层保温 | 厨房 家电 rice cooker kitchen
a-1008 | 破壁料理机 静音款 | 59900 | unavailable | 1.75L 容量、十档调速 | 豆浆机 榨汁机 厨房 blender juicer kitchen
a-1009 | 竹纤维毛巾 三条装 | 3900 | available | 吸水柔软、不易掉毛 | 洗脸巾 towel
a-1010 | 纯棉四件套 1.8 米床 | 35900 | available | 60 支长绒棉、活性印染 | 床上用品 床单 被套 bedding sheet
a-1011 | 记忆棉枕头 慢回弹 | 12800 | available | 可拆洗、护颈曲线 | 枕 睡眠 pillow
a-1012 | 护眼台灯 无级调光 | 16900 | available | 无可视频闪、显色指数 95、USB-C 供电 | 灯 学习 阅读 desk lamp light
a-1013 | 香薰蜡烛 雪松 200g | 5900 | available | 大豆蜡、燃烧 40 小时 | 礼物 礼品 生日 candle gift
a-1014 | 折叠收纳箱 66L 两只装 | 7900 | available | 加厚底板、可叠放 | 整理箱 storage box
a-1015 | 扫地机器人 自动集尘 | 219900 | available | 激光导航、三个月免倒尘 | 家电 吸尘器 robot vacuum cleaner
a-1016 | 无线吸尘器 手持 | 89900 | unknown | 60 分钟续航、可换电池 | 家电 vacuum cleaner
a-1017 | 空气净化器 60 平米 | 149900 | available | HEPA 滤芯、夜间静音 | 家电 air purifier
a-1018 | 变频冷暖空调 1.5 匹 | 289900 | available | 新一级能效、自清洁 | 家电 air conditioner
a-1019 | 对开门冰箱 520L | 459900 | unavailable | 风冷无霜、双循环 | 家电 fridge refrigerator
a-1020 | 实木书桌 1.2 米 | 79900 | available | 橡木、圆角、免打孔线槽 | 桌子 家具 书房 desk table
a-1021 | 人体工学椅 Basic | 99900 | available | 可调腰托、网布透气 | 椅子 办公椅 家具 office chair
a-1022 | 厨房湿巾 80 抽 | 990 | available | 一擦去油 | 清洁 wipes
a-1023 | 一次性纸杯 50 只 | 590 | available | 加厚防烫 | 杯子 水杯 paper cup
a-1024 | 测试样品 演示商品 A | 100 | available | 本地样品 | 商品 示例 test sample demo product item
`

/** Electronics and sport first. Lines as in `shopA`. */
const shopB = `
b-2001 | 真无线蓝牙耳机 主动降噪 | 39900 | available | 降噪 48dB、续航 36 小时、双设备连接 | 无线耳机 earbuds earphone headphone bluetooth wireless
b-2002 | 头戴式蓝牙耳机 Lite | 25900 | available | 佩戴轻盈、可折叠、有线无线两用 | 无线耳机 headphone headset bluetooth wireless
b-2003 | 有线入耳式耳机 3.5mm | 3900 | available | 线控麦克风 | earphone earbuds wired
b-2004 | 便携蓝牙音箱 防水 | 19900 | available | IPX7 防水、12 小时续航 | 音响 speaker bluetooth portable
b-2005 | 机械键盘 87 键 红轴 | 29900 | available | 热插拔、三模连接、PBT 键帽 | 电脑 外设 mechanical keyboard computer
b-2006 | 无线鼠标 静音 | 7900 | available | 2.4G 与蓝牙双模、可充电 | 电脑 外设 wireless mouse computer
b-2007 | 27 英寸 4K 显示器 | 169900 | available | 出厂校色、USB-C 65W、可升降 | 电脑 屏幕 monitor display screen
b-2008 | 轻薄笔记本电脑 14 英寸 | 549900 | available | 16GB 内存、1TB 固态、1.2kg | 电脑 laptop notebook computer
b-2009 | 高性能笔记本电脑 16 英寸 Plus | 998000 | unknown | 32GB 内存、独立显卡、高刷屏 | 电脑 游戏本 laptop gaming notebook computer
b-2010 | 智能手机 256GB 曜石黑 | 329900 | available | 5000mAh、三摄影像、快充 | 手机 电话 phone smartphone mobile
b-2011 | 智能手机 128GB 入门款 | 119900 | available | 大音量、长续航 | 手机 电话 老人 phone smartphone mobile
b-2012 | 手机壳 透明防摔 | 2900 | available | 四角气囊 | 保护套 phone case
b-2013 | 氮化镓充电器 65W 三口 | 12900 | available | 折叠插脚、USB-C 与 USB-A | 充电头 快充 charger usb
b-2014 | 移动电源 20000mAh | 14900 | available | 可上飞机、数显电量 | 充电宝 power bank charger
b-2015 | USB-C 数据线 1 米 两条装 | 1990 | available | 编织线身、60W | 充电线 usb cable
b-2016 | 运动手表 GPS | 89900 | available | 双频定位、14 天续航、50 米防水 | 智能手表 smart watch sport running
b-2017 | 智能手环 Mini | 19900 | unavailable | 血氧监测、睡眠记录 | 运动 smart band fitness
b-2018 | 缓震跑步鞋 男款 | 45900 | available | 轻量中底、透气鞋面 | 运动鞋 鞋子 running shoes sneakers
b-2019 | 缓震跑步鞋 女款 | 45900 | available | 轻量中底、夜间反光 | 运动鞋 鞋子 running shoes sneakers
b-2020 | 加厚瑜伽垫 183cm | 8900 | available | 双面防滑、附背带 | 健身 运动 yoga mat fitness
b-2021 | 可调节哑铃 20kg | 35900 | unknown | 快速换重、收纳底座 | 健身 运动 dumbbell fitness
b-2022 | 四人露营帐篷 自动速开 | 59900 | available | 防雨 3000mm、附地垫 | 户外 camping tent outdoor
b-2023 | 双肩电脑包 15.6 英寸 | 15900 | available | 防泼水、独立电脑仓 | 背包 书包 backpack bag laptop
b-2024 | 测试样品 演示商品 B | 200 | unknown | 本地样品 | 商品 示例 test sample demo product item
b-2044 | 便携保温杯 350ml | 3900 | available | 304 不锈钢、防漏杯盖 | 水杯 杯子 thermos cup bottle mug
`

/** Food, beauty, clothes and books first. Lines as in `shopA`. */
const shopC = `
c-3001 | 明前龙井绿茶 250g 罐装 | 26800 | available | 核心产区、当年新茶 | 茶叶 tea green
c-3002 | 陈年普洱熟茶饼 357g | 19800 | available | 五年陈化、独立编号 | 茶叶 tea
c-3003 | 挂耳咖啡 混合装 30 包 | 8900 | available | 三种风味、独立充氮 | 咖啡 coffee drip bag
c-3004 | 纯牛奶 250ml 24 盒 | 6590 | available | 3.6g 优质乳蛋白 | 奶 milk
c-3005 | 每日坚果 30 袋 | 9900 | available | 六种果仁、独立包装 | 零食 礼品 nuts snack gift
c-3006 | 黑巧克力 72% 可可 100g | 3500 | available | 配料只有三种 | 零食 礼物 chocolate snack gift
c-3007 | 东北五常大米 5kg | 5990 | available | 当季新米、真空包装 | 粮油 rice food
c-3008 | 特级初榨橄榄油 750ml | 11900 | available | 冷压榨、深色瓶 | 食用油 olive oil food
c-3009 | 矿泉水 550ml 24 瓶 | 3600 | available | 天然弱碱 | 水 饮用水 water bottle
c-3010 | 氨基酸洁面乳 120g | 7900 | available | 温和清洁、不紧绷 | 洗面奶 护肤 cleanser skin care
c-3011 | 保湿面霜 50ml | 15900 | available | 神经酰胺、无香精 | 护肤 moisturizer cream skin care
c-3012 | 物理防晒霜 SPF50 | 12900 | unavailable | 敏感肌可用、不泛白 | 护肤 sunscreen skin care
c-3013 | 电动牙刷 声波震动 | 19900 | available | 三档模式、90 天续航 | 洗漱 electric toothbrush
c-3014 | 纯棉圆领短袖 T恤 | 5900 | available | 220g 重磅、不易变形 | 衣服 上衣 shirt cotton clothes
c-3015 | 轻薄羽绒服 连帽 | 49900 | available | 90% 鹅绒、可收纳 | 衣服 外套 down jacket coat clothes
c-3016 | 直筒牛仔裤 | 18900 | available | 微弹面料、四季可穿 | 裤子 衣服 jeans clothes
c-3017 | 羊毛围巾 格纹 | 16900 | unknown | 100% 羊毛、礼盒装 | 礼物 礼品 生日 scarf wool gift
c-3018 | 头层牛皮钱包 短款 | 22900 | available | 六卡位、防磁 | 礼物 皮夹 wallet leather gift
c-3019 | 儿童积木 520 块 | 13900 | available | 食品级材质、附收纳桶 | 玩具 礼物 生日 toy blocks gift
c-3020 | 编程入门图书 第二版 | 6900 | available | 含 200 道练习、附代码 | 书籍 书 学习 programming book
c-3021 | 世界历史图册 精装 | 12800 | available | 400 幅地图 | 书籍 书 history book atlas
c-3022 | 儿童保温杯 吸管款 400ml | 8900 | available | 316 不锈钢、双盖可换 | 水杯 杯子 宝宝 thermos cup bottle kids
c-3023 | 中性笔 0.5mm 12 支 | 1590 | available | 速干不晕染 | 文具 笔 pen stationery
c-3024 | 测试样品 演示商品 C | 300 | unavailable | 本地样品 | 商品 示例 test sample demo product item
c-3025 | 足金转运珠手绳 | 1000000 | unknown | 附检测证书 | 首饰 礼物 黄金 gold bracelet jewelry gift
`

export interface Product extends Pick<Item, 'title' | 'priceCents' | 'availability' | 'highlights'> {
  readonly productId: string
  /** Extra search terms; never shown. */
  readonly keywords: string
  readonly shopIndex: number
}

/** The invented products of the local shops: no real product, brand or price. */
export const catalogue: readonly Product[] = [shopA, shopB, shopC].flatMap((table, shopIndex) =>
  table
    .trim()
    .split('\n')
    .map((line) => productOf(line, shopIndex)),
)

function productOf(line: string, shopIndex: number): Product {
  const [productId, title, price, availability, highlights, keywords] = line.split(' | ') as [
    string,
    string,
    string,
    Item['availability'],
    string,
    string,
  ]
  return {
    productId,
    title,
    priceCents: Number(price),
    availability,
    highlights: highlights.split('、'),
    keywords,
    shopIndex,
  }
}
