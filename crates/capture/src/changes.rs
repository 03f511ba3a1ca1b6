//! Finds statements about what changes the life of their speaker: a move, a new job, a wedding.
//!
//! Such an event outdates what is known of the person, so it belongs to them and not to the chat in which they said it.

use std::sync::LazyLock;

use super::latin::{Latin, Pattern, simplified};
use super::page::Page;

/// How people say so, in folded text.
const CHANGES: &str = concat!(
    r" (?:i|we|i've|we've|i'm|we're|i'll|we'll)(?: (?:have|just|finally|recently|already|am|are|was|were|got|officially|now|both))* (?:moved (?:to|from|in|out|house|back|into)|moving (?:to|in|out|house)|relocated",
    r"|started (?:at|working|as|my new|a new)|start (?:at|working|my new|a new)|quit|resigned|retired(?: (?:from|last|in|this|yesterday|today|early)|$)|graduated|left my (?:job|wife|husband)|(?:changed|switched) (?:jobs|careers)|(?:a )?new job|married|engaged",
    r"|divorced|separated|promoted|fired|laid off|made redundant|pregnant|broke up|split up|turned [0-9]+|had (?:a|our) (?:baby|son|daughter|twins)|became (?:a|an) (?:father|mother|dad|mum|mom|parent|grandfather|grandmother|citizen|nurse|doctor|teacher|vegan|vegetarian)|adopted|gave up (?:smoking|drinking|meat)|stopped (?:smoking|drinking|eating)) ",
    r"| my (?:[a-z]+ ){0,2}(?:m(?:other|um|om|ama|ommy|ummy)|(?:god|step|grand)?(?:mother|father|son|daughter|parent)s?|dad(?:dy)?|grand(?:ma|pa|dad|mum)|gran(?:ny)?|nan(?:a|ny)?|wife|husband|partner|girlfriend|boyfriend|fiancee?|child|kid|baby|brother|sister",
    r"|twin|aunt(?:ie)?|uncle|cousin|niece|nephew|[a-z]+-in-law|friend|mate|neighbou?r|boss|colleague|teacher|mentor|dog|puppy|cat|kitten|hamster|rabbit|bunny|pig|bird|parrot|budgie|canary|fish|goldfish|horse|pony|donkey|tortoise|turtle|snake|lizard|gecko|rat|ferret|hen|goat|sheep|cow",
    r"|pet)(?: [a-z]+)? died | my (?:[a-z]+ ){1,3}passed away ",
    r"| (?:ich|wir|mein|meine|unser|unsere) (?:.* )?(?:umgezogen|hingezogen|(?:nach|in) [^ ]+ gezogen|gekündigt|geheiratet|verlobt|geschieden|getrennt|befördert|gestorben|verstorben|[0-9]+ geworden|pensioniert|adoptiert|entlassen|bei [^ ]+ angefangen|vater geworden|mutter geworden|eltern geworden) ",
    r"| (?:me mude|nos mudamos|me he mudado|nos hemos mudado|(?:empece|he empezado) (?:a trabajar|en|mi nuevo)|(?:deje|he dejado) (?:el|mi|de) |cambie de trabajo|me case|nos casamos|me he casado|me divorcie|nos divorciamos|me jubile|me gradue|cumpli [0-9]+|he cumplido [0-9]+|mi [a-z]+ (?:[a-z]+ )?(?:murio|fallecio)|me comprometi|me (?:despidieron|ascendieron)|tuvimos un hij)",
    r"| (?:j'ai|on a|nous avons) (?:demenage|demissionne|divorce|rompu|change de (?:travail|boulot|poste)|commence (?:chez|a travailler|mon nouveau)|pris ma retraite|eu [0-9]+ ans|ete (?:promue?|licenciee?)) | (?:me suis|nous sommes|on s'est) (?:mariee?s?|fianceee?s?|fiancee?s?|separee?s?|installee?s?) | (?:mon|ma|notre) [a-z]+ (?:[a-z]+ )?est (?:morte?|decedee?) ",
    r"| (?:mi sono|ci siamo) (?:trasferit|sposat|lasciat|laureat|licenziat|separat)[oaie] | ho (?:cambiato lavoro|iniziato a lavorare|compiuto [0-9]+) | (?:il mio|la mia) [a-z]+ e mort[oa] | (?:ho divorziato|abbiamo divorziato|sono andat[oa] in pensione|mi hanno (?:licenziat|promoss|assunt)[oa]|ho (?:lasciato il lavoro|dato le dimissioni|smesso di fumare)|sono incinta|sono diventat[oa] (?:mamma|papa|padre|madre|nonn[oa]|cittadin[oa]|vegan[oa]|vegetarian[oa])|e nat[oa] (?:mi[oa]|nostr[oa]|il nostro|la nostra) [a-z]+) ",
    r"| (?:me mudei|mudei-me|nos mudamos|mudamo-nos|casei|casei-me|casamos|me divorciei|divorciei-me|comecei a trabalhar|mudei de emprego|me demiti|aposentei|reformei-me|fiz [0-9]+ anos|me formei|formei-me|me separei|separei-me|pedi demissao|fui (?:demitid|despedid|promovid)[oa]|parei de fumar|deixei de fumar|estou gravida|nos casamos|casamo-nos|fiquei noiv[oa]|virei (?:pai|mae|avo|vegan[oa]|vegetarian[oa])|tivemos um(?:a)? filh[oa]|nasceu (?:o meu|a minha|meu|minha|nosso|nossa|o nosso|a nossa) [a-z]+|(?:meu|minha) [a-z]+ (?:morreu|faleceu)) ",
    r"| (?:переехала?|переехали|женился|вышла замуж|поженились|развелась|развелся|развелись|уволился|уволилась|меня уволили|устроился|устроилась|умерла?|мне исполнилось|родился|родилась|родились|вышла? на пенсию|вышел на пенсию|меня (?:повысили|сократили|уволили)|сменила? работу|бросила? (?:курить|пить)|обручились|расписались|расстались|забеременела|беременна|стала? (?:мамои|папои|отцом|бабушкои|дедушкои|веганом|вегетарианкои|вегетарианцем)|окончила? (?:университет|институт|школу)) ",
);
/// Words beside which the same verbs are about work or things: "we moved to the next sprint", "I split up the monolith".
const OTHERS: &str = r" (?:split up|broke up|separated|fired|promoted) (?:the|an?|our|my|this|that|these|those|some|all) | (?:sprint|meeting|slack|server|branch|phase|version|channel|call|project|repo|ticket|release|database|phone|laptop|computer|car|battery|pc|tv|slide|chapter|page) ";
const HAN_CHANGES: &str = "引っ越|引越し|転職|就職|退職|離婚し|結婚し|婚約し|入籍|別れた|亡くな|妊娠|(?:赤ちゃん|子|娘|息子)が(?:生|産)まれ|卒業し|定年|[0-9]+(?:歳|才)に(?:な|っ)|会社を辞め|タバコをやめ|搬(?:到|去|家|进)|跳槽|换了?(?:新)?工作|入职|离职|辞职|结婚|离婚|订婚|分手|退休|毕业了|去世|生了(?:个|一|孩)|满[0-9]+岁|怀孕";

/// Returns whether a statement says that the life of its speaker has changed.
#[must_use]
pub fn changes_life(statement: &str) -> bool {
    static CHANGE: Pattern = Pattern::of(|| Latin::of(CHANGES), || simplified(HAN_CHANGES));
    static OTHER: LazyLock<Latin> = LazyLock::new(|| Latin::of(OTHERS));
    let mut sentences = Page::of(statement).sentences.into_iter();
    sentences.any(|sentence| CHANGE.is_match(sentence.text()) && !OTHER.is_match(sentence.text()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_weddings_change_a_life_and_errands_do_not() {
        for text in [
            "We moved to York last weekend",
            "I started at Siemens today",
            "I got engaged to Mark",
            "Ich bin seit gestern geschieden",
            "I turned 35 today",
            "My dog Rex died yesterday",
            "My grandmother died on Friday",
            "I split up with my boyfriend yesterday",
            "I retired last week",
            "Wir sind nach Kiel gezogen",
            "Nos mudamos a Vigo",
            "J'ai déménagé à Nantes",
            "我上周搬到北京了",
            "Mi sono trasferita a Milano",
            "Я переехала в Казань",
            "Mi hanno licenziata ieri",
            "È nata mia figlia",
            "Fui despedida na quinta",
            "Parei de fumar",
            "Вчера вышел на пенсию",
            "先週、大阪に引っ越しました",
            "昨日、祖父が亡くなりました",
            "タバコをやめました",
        ] {
            assert!(changes_life(text), "{text}");
        }
        for text in [
            "I moved the meeting to Friday",
            "We moved to the next sprint yesterday",
            "I retired the old server last night",
            "My phone died yesterday",
            "The server died on Friday",
            "My wifi router died yesterday",
            "I split up the monolith yesterday",
            "We became a partner of Siemens yesterday",
            "I joined the meeting late yesterday",
            "I started the washing machine",
            "We watched a film yesterday",
            "Ich habe gestern Pizza gegessen",
            "Ayer fui al cine",
            "J'ai mangé une pizza hier",
            "我昨天吃了披萨",
            "Ieri ho mangiato una pizza",
            "Ontem fui ao cinema",
            "Вчера ходил в кино",
            "昨日ピザを食べた",
        ] {
            assert!(!changes_life(text), "{text}");
        }
    }
}
