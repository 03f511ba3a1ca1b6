//! Folding of traditional Chinese characters into simplified ones.
//!
//! Patterns are written in simplified characters only, so that a table contains each pattern once.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Common characters: each traditional one is followed by its simplified form.
const PAIRS: &str = "\
    們们個个這这還还對对說说話话請请讓让給给來来時时間间後后開开會会過过從从點点樣样麼么嗎吗誰谁幾几種种\
    隻只條条輛辆臺台張张雙双兩两萬万億亿歲岁號号週周禮礼節节現现剛刚經经總总統统應应該该須须別别專专業业\
    員员師师醫医護护學学習习讀读書书寫写語语國国華华漢汉簡简體体詞词標标題题複复復复覆复檔档郵邮電电腦脑\
    機机網网線线碼码庫库資资數数據据測测試试環环項项團团隊队組组廠厂銀银歡欢愛爱討讨厭厌慣惯覺觉聽听見见\
    視视頻频頭头髮发發发貓猫鳥鸟魚鱼雞鸡鴨鸭豬猪馬马龍龙龜龟蝦虾麵面飯饭飲饮湯汤鹽盐葷荤蔥葱薑姜產产藥药\
    術术診诊療疗檢检驗验證证簽签辦办買买賣卖錢钱價价貴贵費费購购貨货單单訂订運运輸输車车駕驾駛驶鐵铁飛飞\
    際际東东廣广灣湾蘇苏遼辽陝陕雲云寧宁慶庆濟济滬沪陽阳陰阴縣县鄉乡鎮镇區区樓楼層层門门戶户廚厨廁厕衛卫\
    燈灯熱热涼凉溫温氣气風风園园場场館馆廳厅長长遠远寬宽輕轻緊紧鬆松強强壓压難难麗丽醜丑亂乱淨净乾干幹干\
    髒脏壞坏斷断續续繼继換换遷迁轉转選选擇择決决議议論论談谈講讲訴诉問问謝谢諒谅認认識识記记憶忆瞭了覽览\
    觀观關关閉闭啟启動动靜静態态狀状況况實实確确錯错誤误擔担憂忧煩烦惱恼驚惊嚇吓懼惧癢痒燒烧傷伤殘残聾聋\
    啞哑腫肿齡龄爺爷媽妈孫孙婦妇嬰婴兒儿親亲鄰邻闆板領领導导創创辭辞職职績绩獎奖罰罚勝胜敗败贏赢賽赛戰战\
    爭争軍军務务農农漁渔礦矿製制織织縫缝紡纺紙纸筆笔畫画圖图譜谱樂乐劇剧戲戏遊游淚泪滿满漲涨減减滅灭準准\
    備备範范圍围規规則则約约違违執执審审訟讼偵侦賊贼騙骗搶抢殺杀槍枪彈弹彎弯彙汇匯汇歷历曆历與与並并於于\
    為为爲为無无沒没裡里裏里裝装著着歸归將将當当擋挡擾扰擁拥撥拨擊击攝摄擺摆掃扫掛挂採采捨舍捲卷揮挥損损\
    搖摇撐撑撲扑攔拦攜携欄栏權权檯台櫃柜櫻樱橋桥樹树櫥橱檸柠蘋苹菸烟煙烟葉叶蔔卜蘿萝蘭兰藝艺蓋盖薩萨藍蓝\
    紅红綠绿黃黄銅铜鋼钢鋁铝錄录鍵键鏡镜鍋锅針针鈕钮鐘钟鎖锁鑰钥鏈链鏽锈銷销鋪铺鑽钻鈴铃閒闲閱阅闖闯闊阔\
    陣阵陳陈陸陆隨随險险隱隐離离雜杂靈灵霧雾韓韩頁页頂顶順顺預预頓顿頗颇頸颈額额顏颜願愿顧顾類类顯显飄飘\
    飼饲飽饱餃饺餅饼養养餓饿餘余饅馒饒饶駐驻騎骑驅驱驢驴鬧闹鬱郁魯鲁鮮鲜鯨鲸鴿鸽鵝鹅鹹咸齊齐齒齿蟲虫螞蚂\
    蟻蚁蠟蜡補补褲裤襯衬襪袜觸触訊讯訓训設设許许註注詳详詢询誠诚誇夸誌志諾诺諮咨謀谋謊谎譯译譽誉豐丰貝贝\
    負负財财貧贫貪贪貫贯責责貼贴貸贷貿贸賀贺賃赁賓宾賠赔質质賬账帳账賺赚贈赠趕赶趙赵趨趋跡迹踐践軟软軌轨\
    較较載载輔辅輩辈輪轮輯辑辯辩邊边達达遲迟遞递適适遺遗鄭郑鄧邓醬酱釋释釣钓鬍胡鬚须劉刘劃划劑剂勁劲勞劳\
    勢势勸劝勵励協协卻却厲厉參参吳吴呂吕喪丧嗆呛嘆叹嘗尝噁恶惡恶噴喷嚴严囑嘱圓圆堅坚報报塊块塗涂墊垫墜坠\
    壇坛壘垒壯壮壽寿夠够夢梦夾夹奪夺奮奋娛娱嬌娇寢寝寵宠寶宝尋寻屆届屬属島岛崗岗嶺岭峽峡帥帅帶带幣币幫帮\
    廢废廟庙彌弥徑径徵征徹彻恆恒悅悦悶闷慘惨慮虑憑凭懷怀懶懒戀恋拋抛掙挣敵敌斂敛斬斩昇升暈晕暫暂曉晓曬晒\
    柵栅棄弃棟栋極极榮荣構构槳桨樁桩歐欧殼壳毀毁沖冲衝冲洩泄淺浅渾浑湊凑滾滚滯滞滲渗潔洁潤润潰溃澀涩澤泽\
    濃浓濕湿濾滤瀏浏災灾烏乌煉炼爐炉爛烂牆墙牽牵犧牺猶犹獄狱獨独獲获獻献瑪玛瓊琼畢毕異异疊叠瘋疯瘡疮盜盗\
    盡尽儘尽監监盤盘眾众睏困矯矫碩硕磚砖礙碍禍祸稅税稱称穀谷積积穩稳窩窝窮穷競竞築筑篩筛籃篮籤签籠笼糧粮\
    糾纠紀纪紋纹納纳純纯級级紛纷紮扎細细終终結结絕绝絡络絲丝綁绑維维綜综緒绪緣缘編编緩缓練练縮缩縱纵繪绘\
    繩绳繳缴纏缠罷罢羅罗義义聖圣聞闻聯联聰聪聲声肅肃脈脉腳脚腸肠膚肤膠胶膽胆臉脸臨临舉举舊旧艱艰莊庄處处\
    虛虚訪访評评詐诈詩诗誕诞誘诱課课調调諷讽謠谣謹谨讚赞贊赞賈贾賴赖輝辉連连進进邁迈釀酿鈔钞鋒锋錶表鍛锻\
    鎊镑閃闪閘闸閩闽雖虽響响頑顽騷骚麥麦黨党係系繫系傳传傑杰傾倾僅仅僑侨優优儲储償偿兇凶內内冊册凍冻劍剑\
    勻匀嚮向妳你牠它佔占佈布併并倉仓偽伪僱雇傭佣俠侠倆俩偉伟側侧債债傢家蠻蛮擬拟闢辟鹵卤濱滨鴻鸿銘铭澆浇凱凯鹼碱\
";

/// Returns the simplified form of a character. Rare and all other characters are returned unchanged.
pub fn simplified(letter: char) -> char {
    static FORMS: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
        let letters: Vec<char> = PAIRS.chars().collect();
        letters.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
    });
    FORMS.get(&letter).copied().unwrap_or(letter)
}

/// Returns a text with simplified characters.
#[must_use]
pub fn simplify(text: &str) -> String {
    text.chars().map(|c| if is_han(c) { simplified(c) } else { c }).collect()
}

/// Returns whether a character belongs to the Chinese script.
pub fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}' | '々' | '〇')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_traditional_letter_has_one_form_and_that_is_final() {
        let letters: Vec<char> = PAIRS.chars().collect();
        assert_eq!(letters.len() % 2, 0);
        let mut traditional: Vec<char> = letters.iter().copied().step_by(2).collect();
        let count = traditional.len();
        traditional.sort_unstable();
        traditional.dedup();
        assert_eq!(traditional.len(), count);
        for form in letters.iter().skip(1).step_by(2) {
            assert_eq!(simplified(*form), *form);
        }
        assert_eq!("時區與習慣".chars().map(simplified).collect::<String>(), "时区与习惯");
    }
}
