//! The gates of French: patterns that drop a clause.

use crate::Why::{
    Code, Command, Hypothetical, Idiom, Joke, Negated, Other, Past, Pasted, Question, Reported, Secret,
    Unsafe,
};
use crate::language::Reach::{Clause, Message, Onward, Rest, Sentence};
use crate::language::{Gate, gate};

pub(super) const GATES: &[Gate] = &[
    // Secrets by their names; what has the form of a secret is known without them.
    gate(
        Secret,
        Clause,
        "(?:mots? de passe|mdp|code (?:pin|secret|d'acces|d'entree|de la porte|de (?:ma |la )?(?:carte|cb|porte)|du (?:portail|coffre|garage|wifi|cadenas)|wifi|de l'alarme|de deverrouillage|de verrouillage|postal secret)|\
         digicode|passphrase|phrase secrete|cles? (?:api|privee|secrete|wifi|d'api|ssh)|token|jeton|cryptogramme|numero de (?:carte|cb|secu|securite sociale|compte)|carte bleue|iban|cvv|nip|identifiants) (?:[^,]+ )?(?:est|sont|c'est|:|=|[0-9])",
    ),
    gate(
        Unsafe("for-the-model"),
        Message,
        " (?:l'utilisateur|l'utilisatrice|l'usager) (?:prefere|veut|souhaite|a (?:approuve|accepte|autorise|valide)|accepte|autorise|consent|aime) ",
    ),
    gate(
        Unsafe("pretend"),
        Message,
        "^ (?:fais comme si tu etais|tu es maintenant|tu es desormais|tu joues le role|agis comme si tu|comporte-toi comme si|fais semblant d'etre) ",
    ),
    // What comes from elsewhere.
    gate(
        Pasted,
        Onward,
        "^ (?:compte rendu|compte-rendu|cr|pv|proces-verbal|ordre du jour|communique(?: de presse)?|offre d'emploi|tr|fwd?|objet|extrait|article|annonce|avis (?:clients?|google)|temoignages?|biographie|fiche de poste|note de service|circulaire|reglement(?: [a-z]+)?|arrete municipal|conditions generales|paroles|description|resume du livre|(?:chere?|chers|cheres) (?:madame|monsieur|equipe|clients?|collegues?|tous|toutes|voisins?)|madame , monsieur|madame|monsieur)(?: [:,-] | $)",
    ),
    gate(
        Pasted,
        Onward,
        "^ (?:chere?s?) (?:madame|monsieur|equipe|clients?|clientes?|collegues?|voisins?|abonnes?) ",
    ),
    gate(Code, Onward, "^ (?:let|const|var|int|string|def|function|return|char|bool) [a-z_]+ = "),
    gate(
        Pasted,
        Sentence,
        "^ (?:avertissement|attention|erreur|warning|error|info|note systeme|notification|alerte|log|sortie|resultat|traceback) : ",
    ),
    // What is supposed or wished.
    gate(
        Hypothetical,
        Onward,
        "(?:^| )(?:imagine|imaginons|imagine que|imaginez|supposons|admettons|mettons que|a supposer que|en supposant|jeu de role|dans (?:mon|le|ce) (?:roman|scenario|livre|film|jeu)|mon personnage|(?:mon|l')(?:heros|heroine)|l'heroine|le heros|la heroine|le narrateur|pour une fiction|experience de pensee) ",
    ),
    gate(
        Hypothetical,
        Rest,
        "^ (?:meme |sauf |comme )?(?:si|s'il|s'ils) (?:je|j'|on|il|elle|ils|elles|ca|cela|nous|vous|c'|quelqu'un|un jour|seulement|jamais)? ?(?:n'|ne |me |m'|te |se |s'|le |la |les |l'|y |en |nous |vous )*(?:[a-z]{2,}(?:ais|ait|aient|ions)|seulement|un jour|jamais (?:je|on)) ",
    ),
    gate(
        Hypothetical,
        Rest,
        "^ (?:le jour ou|au cas ou|a condition que|quand (?:je serai|j'aurai|on sera|on aura)|et si|ah si|que faire si|dans l'hypothese ou|a ta place|a votre place|a sa place|si jamais (?:je|on)) ",
    ),
    gate(
        Hypothetical,
        Clause,
        " (?:peut-etre|p't'etre|ptet|ptetre|un jour|j'aurais|j'aurai bien|on aurait|ce serait|ca serait|je serais|je pourrais|on pourrait|on devrait|je devrais|il faudrait|faudrait|je me vois bien|je reve|j'ai(?:merais)? (?:envie|hate)|vivement|j'hesite|on hesite|j'espere|on espere|je pense a|on pense a|j'envisage|on envisage|je songe|eventuellement|probablement|sans doute|sait-on jamais|en theorie|idealement si|suis pas sure? (?:que|de|qu'[a-z]+)|je sais pas si|je ne sais pas si|je me demande|on verra|a mon avis|si ca se trouve|si (?:ca|ca ne) tenait|le reve|tant mieux si|j'ai failli|on a failli) ",
    ),
    gate(
        Hypothetical,
        Clause,
        " (?:(?:j'aimerais|je voudrais|on aimerait|on voudrait|nous aimerions|j'adorerais|je souhaiterais|j'aurais aime)(?: (?:bien|tant|trop|vraiment|tellement|juste|aussi|un jour|pouvoir|beaucoup))* (?:[a-z'-]+(?:er|ir|re|oir)|en|y|une?|des?|du|la|les?|l'[a-z]+|savoir|me [a-z]+|m'[a-z]+|qu'on m'[a-z]+)) ",
    ),
    gate(
        Hypothetical,
        Clause,
        "^ (?:pas|plus) (?:du tout |vraiment |trop )?sure? (?:que|qu'[a-z]+|de|d'[a-z]+) ",
    ),
    // What somebody is said to have said.
    gate(
        Reported,
        Rest,
        "^ (?:[a-z'-]+ ){0,6}?(?:dit|disait|disent|raconte|pretend|pretendent|affirme|soutient|jure|estime|pense|croit|trouve|ecrit|explique|repete|assure|annonce|clame|ecrivait|precise|conseille|recommande|reclame|exige|propose|veut|voudrait|souhaite|demande|suggere) (?:que|qu'[a-z]+|qu'|de|d'[a-z]+|a tout le monde) ",
    ),
    gate(
        Reported,
        Rest,
        " (?:(?:m'a|m'ont|nous a|nous ont|a|ont|on m'a|lui a|leur a|avait|m'avait|vient de me|vient de nous|me|nous) (?:[a-z]+ )?(?:repondu|raconte|ecrit|explique|jure|annonce|affirme|assure|conseille|demande (?:de|si|d'[a-z]+|pourquoi|un|une)|recommande|repete|balance|sorti que|fait savoir|confie|avoue|predit|soutenu|pretendu|lance|suggere)|a ecrit|me dit|nous dit|me raconte|me soutient) ",
    ),
    // To say yes or no is to decide.
    gate(
        Reported,
        Rest,
        " (?:m'a|m'ont|nous a|nous ont|a|ont|on m'a|lui a|leur a|avait|m'avait|vient de me|vient de nous|me|nous) (?:[a-z]+ )?dit (?:[a-mp-z\",:0-9]|n[a-np-z']|o[a-tv-z]|$)",
    ),
    gate(
        Reported,
        Rest,
        "(?:^| )(?:d'apres|selon|parait-il|parait que|il parait|apparemment|soi-disant|dixit|a ce qu'il parait|a en croire|j'ai (?:lu|entendu|vu)(?: dire)?(?: quelque part| partout)? (?:que|qu'[a-z]+|comme quoi|dans)|on dit (?:que|qu'[a-z]+)|les gens disent|le bruit court|la rumeur|il se dit|vient d'appeler|vient d'ecrire|elle fait|il fait|ils font) (?:[a-z\"']|:)",
    ),
    gate(
        Reported,
        Sentence,
        " (?:apparemment|parait-il|soi-disant|a ce qu'il parait|qu'il dit|qu'elle dit|dixit [a-z' ]+) $",
    ),
    // What is not meant.
    gate(
        Joke,
        Sentence,
        " (?:🤣|🙃|/s|c'est une blague|c'est pour rire|c'est ironique|ironie|second degre) ",
    ),
    gate(Joke, Clause, " (?:je rigole|jrigole|je plaisante|jplaisante|je blague|je deconne|jdeconne) $"),
    gate(
        Joke,
        Sentence,
        "(?:decide|desormais|dorenavant|prefere|preferee|s'appelle|je deviens|jure|officiellement|ma passion|mon reve|mon regime|mon sport) .*(?:mdr+|ptdr+|lol+|😂|🤡|💀|haha+) ",
    ),
    gate(
        Joke,
        Rest,
        "^ (?:youpi|quelle (?:joie|chance|surprise)|bravo|chouette|oh (?:super|genial|chouette|joie|quelle)|ah (?:super|genial|bravo)|trop bien|magnifique|formidable|merveilleux|fantastique|encore une super|super) , (?:encore|j'adore|je|on|decidons|une|un|comme|rien|le|la|les)",
    ),
    gate(
        Joke,
        Rest,
        "^ (?:et )?encore une? (?:[a-z-]+ )?(?:reunion|visio|meeting|mise (?:en prod|a jour)|deploiement|panne|coupure|greve|retard|bug|plantage|regression|changement|formulaire|facture|amende|mail|appel|bouchon|embouteillage|lundi|jour|journee|semaine|nuit|week-end|client|avenant|rappel|notif|pub|report|annulation) ",
    ),
    // Names that nobody has.
    gate(
        Joke,
        Clause,
        " (?:m'appelle|me nomme|appelle-moi|appelez-moi|(?:nom|prenom) c'est|nom est|je suis|chuis) (?:bond|james bond|batman|superman|spiderman|dark vador|vador|gandalf|voldemort|harry potter|sherlock(?: holmes)?|yoda|zorro|tarzan|napoleon|jules cesar|cesar imperator|elvis|dieu|le pape|le pere noel|la reine d'angleterre|cendrillon|blanche-neige|le roi (?:du|de|des) [a-z]+|la reine (?:du|de|des) [a-z]+|maitre du monde|votre majeste|sa majeste|chef supreme|mon seigneur) ",
    ),
    gate(
        Joke,
        Clause,
        " (?:j'adore|j'aime|je kiffe) (?:(?:tellement |vraiment |trop )?(?:ma vie|ma chance|mon karma|l'ambiance|l'organisation|la vie de bureau|les surprises|les joies de)|mon (?:boulot|job|taf|metier|chef) (?:$|parfois|des fois|certains)) ?",
    ),
    gate(
        Joke,
        Clause,
        " (?:j'adore|j'aime|je kiffe)(?: tellement| trop| vraiment| tant| bien sur| evidemment)?(?: ca)? (?:quand|attendre|perdre|me faire|me lever a|passer (?:mes|ma|des heures|trois|deux)|faire la queue|recommencer|tout refaire|les (?:bouchons|files d'attente|embouteillages|lundis|reunions (?:de|qui|interminables))|etre reveillee?) ",
    ),
    gate(
        Joke,
        Sentence,
        "(?:comme par hasard|bien entendu|on a que ca a faire|c'est bien connu|c'est tellement agreable|quelle bonne idee|ca m'avait manque|tout va bien) $",
    ),
    // Others as the subject.
    gate(
        Other,
        Clause,
        "^ (?:{pastday} (?:, )?|{futureday} (?:, )?)?(?:mon|ma|mes|le|la|les|l'|un|une|notre|nos|leurs?|son|sa|ses|ton|ta|tes|votre|vos|ce|cette|certains|plusieurs|tous les|tous mes) ?(?:[a-z-]+ ){0,2}?{other} ",
    ),
    gate(
        Other,
        Clause,
        "^ (?:(?:le|la|les|l')(?: ?[a-z-]+){1,2} (?:de|d'|du|des)(?: ?(?:mon|ma|mes|la|le|les|un|une|notre))? ?(?:[a-z-]+ )?{other}) ",
    ),
    gate(
        Other,
        Clause,
        "^ (?:leurs?|son|sa|ses|ton|ta|tes|lui|eux|elles?|ils?|les gens|tout le monde|beaucoup de gens|certains|la plupart|chacun|personne|quelqu'un) (?:[a-z'-]+ ){0,3}(?:aime|aiment|adore|adorent|deteste|detestent|prefere|preferent|habite|habitent|vit|vivent|bosse|bossent|travaille|travaillent|parle|parlent|utilise|veut|veulent|sont|a decide|ont decide|a choisi|ont choisi|boit|mange|vient|demenage|part|arrete) ",
    ),
    gate(Other, Clause, "^ (?:ils|elles|eux) "),
    // Questions without a mark.
    gate(
        Question,
        Rest,
        "^ (?:pourquoi|pk|comment|qui (?:a|est|va|peut|veut|fait|sont|c'est)|ou (?:est|sont|c'est|en|je|tu|on|puis|peut)|quand est-ce|c'est quand|quels?|quelles?|lequel|laquelle|est-ce|qu'est-ce|qu'en|que (?:penses|faire|dois|se|veut|signifie|peut|puis|dirais)|quoi|c'est quoi|c'est qui|c'est ou|combien|a quoi|de quoi|a qui|tu (?:sais|crois|penses|connais|trouves|te souviens|te rappelles|vois|preferes|aurais|pourrais|peux|comprends|dirais|as|veux|proposes|conseilles)|t'as|t'en|t'es|t'aurais|vous (?:savez|avez|connaissez|pensez|pourriez|auriez|pouvez|etes|preferez)|on devrait|dois-je|puis-je|dois-on|y a quoi|y a-t-il|y a-t'il|quelqu'un (?:sait|connait|a|peut|aurait)|ca (?:veut dire|prendrait|compte|se fait|existe)|ca te|sais-tu|savez-vous|je devrais|rappelle-moi (?:ce|si|qui|quand|ou|quel|quelle)|dis-moi (?:si|ce|pourquoi|comment|quel|quelle|ou|quand)|aucune idee de) ",
    ),
    gate(Question, Rest, "^ (?:[a-z'-]+ )?[a-z]+(?:-t)?-(?:tu|il|elle|on|ils|elles|je|ce) "),
    gate(
        Question,
        Rest,
        "^ (?:[a-z]+ )?(?:pouvez|pourriez|avez|savez|etes|connaissez|voulez|pensez|auriez|voudriez|devez|faites|sommes|avons)-(?:vous|nous) ",
    ),
    gate(
        Question,
        Clause,
        " (?:ou (?:pas|non|bien non|bien pas|autre chose)|c'est quoi|t'en penses quoi|on fait quoi|je fais quoi|y a quoi) $",
    ),
    gate(
        Question,
        Clause,
        " (?:sur|avec|a|de|pour|en|chez|par|on (?:fait|prend|mange|met|utilise|garde|dit)) (?:quoi|qui|quel|quelle|lequel|laquelle|combien|ou) (?:$|du coup|alors|deja|au final|pour|ce|stp|ici)",
    ),
    // What was.
    gate(
        Past,
        Clause,
        "(?:^| )(?:autrefois|jadis|quand j'etais|quand on etait|a l'epoque|dans le temps|etant (?:gosse|gamine?|petite?|enfant|ado|plus jeune)|dans ma jeunesse|dans mon (?:ancien|ancienne|precedent)|mon ancienne? [a-z]+|mes ancien(?:ne)?s [a-z]+|plus jeune|il fut un temps|jusqu'a (?:l'an dernier|l'annee derniere|recemment)) ",
    ),
    gate(
        Past,
        Clause,
        "^ (?:avant(?: ,)?|petite?(?: ,)|gamine?(?: ,)|enfant(?: ,)|ado(?: ,)|jeune(?: ,)|au debut(?: ,)?) (?:de [a-z]+ )?(?:je|j'|on|nous|c'etait|ma|mon)",
    ),
    // What is denied.
    gate(
        Negated,
        Clause,
        " (?:(?:pas|jamais|rien|toujours pas|pas encore|personne n'a|aucunement) (?:encore |vraiment |du tout |jamais )?(?:dit|decide|choisi|tranche|valide|acte|vote|retenu|convenu|signe|ecrit|pretendu|promis|demande)|rien n'est (?:decide|fait|acte|tranche|signe)|n'est pas (?:decide|acte|tranche|valide)|c'est pas (?:decide|acte|tranche|valide|que|moi qui|parce que|comme si)|ce n'est pas que|je (?:ne )?dis pas (?:que|qu'[a-z]+)|je (?:n'ai|ne suis) (?:jamais|pas) (?:dit|ete)|ca (?:ne )?veut pas dire|non pas que|loin de moi|contrairement a|toujours pas|aucune decision|decide de rien|faux que|c'est faux) ",
    ),
    gate(
        Negated,
        Rest,
        "^ (?:mais )?(?:non )?(?:moi )?(?:je (?:ne )?(?:vis|viens|m'appelle|reside|pense|crois|veux pas dire|cherche)|j'habite|je n'habite|je m'appelle|je me nomme|mon (?:nom|prenom) (?:n'est|c'est|est)|nous n'habitons|on (?:n')?habite|on (?:ne )?vit) pas ",
    ),
    // Other senses of the words.
    gate(
        Idiom,
        Clause,
        "^ {moi}{suis}{adv} (?:a (?:la (?:bourre|masse|traine|rue|ramasse|maison|gare|plage|caisse|recherche|fin|page|limite|hauteur)|fond|bout|deux doigts|l'heure|l'ouest|l'aise|l'abri|peu pres|sec|cran|cote|table|pied|jour|vif|toi|vous|nouveau|court|cent|100|200)|au (?:bout|taquet|top|lit|tel|telephone|bord|milieu|courant|point|rdv|bureau la|restau|resto|cafe|max|regime sec|soleil|paradis)|en (?:reunion|vacances|retard|route|ligne|train|panne|galere|colere|visio|call|weekend|week-end|pause|pls|pleine? (?:forme|crise|revision)|larmes|sueur|feu|mode|avance|chemin|voiture|forme|vrac|stress|direct|deplacement|manque|ebullition)|dans (?:le (?:train|metro|bus|flou|noir|mal|jus|rouge|coma|tram|dur|vague)|la (?:merde|mouise|voiture|queue|galere|panade|file|place|lune)|les (?:temps|bouchons|cartons|choux|transports|starting-blocks)|un (?:etat|cafe|train|bus|fichier)|mon (?:lit|bain|canape)|l'avion|l'impasse|tous mes etats)|sur (?:le (?:point|cul|chemin|depart)|les (?:rotules|nerfs)|un (?:nuage|bug|ticket|truc|fichier)|la (?:page|ligne|route|doc|branche)|ton|ta|ce|cette|mon tel)|chez (?:le|ma|mon|moi|des|un)|d'accord|de retour|de bonne|de mauvaise|du (?:coup|meme avis)|pour|contre|la $|la ,|la pour|la si|perdue?|creve|mort|crevee|morte|nase|desolee?|contente?|ravie?|sure?|certaine?|prete?|sympa|curieuse|curieux|bloquee?|degoutee?|choquee?|fatiguee?|malade|seule? (?:a|$|ce|la)|libre|partie?|tombee? sur|d'humeur)",
    ),
    gate(
        Idiom,
        Clause,
        "^ {moi}{ai}{adv} (?:(?:une?|des|la|le|l'|encore|deux|trois|plein de|d'autres|un petit|une petite|une derniere|pas d'|pas de|un gros|ce|cette|mon|ma|juste|toujours|aucun|aucune) ?)*(?:questions?|idees?|reunions?|problemes?|soucis?|bugs?|doutes?|erreurs?|fichiers?|trucs?|textes?|minutes?|secondes?|impression|dalle|flemme|chance|choix|temps|heure|force|envie|peur|honte|hate|besoin|raison|tort|faim|soif|froid|chaud|sommeil|mal|marre|compris|l'impression|remarques?|liste|message|tableau|script|fonction|ticket|intuition|rien|haine|creve|galere|nouvelles?|reponses?|avis|pb|pbs|gueule|reve|trou|blanc|pot|bol|coup|exercice|devoir|dossier|phrase|mot|point|tache|taches|vue|rhume|creux|client|appel|call|colis|train|avion|cours|partiel|exam|examen|controle|dilemme|concept|plan|soupcon|pressentiment|invite|pote|ami|amie|rdv|truc|machin|requete|commande|pull|pr|merge|conflit|test|page|api|classe|variable|array|boucle|modele|deadline|trajet|blocage|urgence|imprevu|empechement|souvenir|proposition|besoin|retard|conseil|service|faveur|seum|cafard|poisse|rage|blues|frissons?) ",
    ),
    gate(
        Idiom,
        Clause,
        " (?:(?:j'adore|j'aime|j'aime bien|j'aime beaucoup|je prefere|je kiffe|j'aime pas|je deteste|j'aime pas trop|j'aimais)(?: bien| beaucoup| trop| vraiment| encore| nettement)? (?:ton|ta|tes|votre|vos|cette|cet|ce|ces|celui|celle|ceux|celui-ci|celle-ci|celui-la|celle-la|l'idee|le concept|le principe|la (?:premiere|deuxieme|seconde|troisieme|derniere|nouvelle|version|proposition|tournure|reponse|fin)|le (?:premier|deuxieme|second|troisieme|dernier|nouveau|titre|resultat|rendu|ton de|debut)|ca|comme ca|comment|ta facon|quand meme|deja|la ou ca|ne pas (?:savoir|y penser)|pas savoir)) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ {moi}(?:j'adore|j'aime(?: bien| pas| beaucoup)?|je deteste|je prefere|je kiffe|je veux bien|je veux pas|je prefere pas|j'evite)(?: [^a-z ]+)* (?:, .*)?$",
    ),
    gate(
        Idiom,
        Clause,
        " (?:je vis (?:un|une|mal|bien|ma|le|la|dans les|l'|ca|tres|plutot|au jour|en apnee)|je parle (?:de|d'|du|des|pas de|ici|la|a|au|trop|dans le|bien de|pour)|je (?:te|vous) parle|je travaille (?:dessus|sur (?:un|une|le|la|ce|cette|mon|ma|ca))|je bosse (?:dessus|sur (?:un|une|le|la|ce|cette|mon|ma|ca))|je viens de (?:voir|lire|comprendre|manger|me reveiller|rentrer|penser|tester|essayer|relire|remarquer|verifier|regarder|tomber|relancer|finir de|t'envoyer|me rendre|realiser|capter|decouvrir)|(?:on|je) passe a (?:autre chose|la (?:suite|question|page|ligne|partie|caisse)|table|l'action|l'exercice|l'etape)|on (?:fait|fera) (?:quoi|avec|le point|une pause|ce qu'on|un test|semblant|au mieux|mieux|plus court|du sur place)|on fait comme (?:tu|vous|d'hab|si)|on (?:reste|garde) (?:en contact|contact|le sourire|espoir|la peche|calme|zen|positif)|on garde ca|on garde (?:la (?:main|peche|forme|foi|tete)|le (?:cap|rythme|moral|fil))|on (?:prend|boit|mange) (?:un (?:cafe|verre|pot)|l'apero|le temps)|on arrete (?:la|le massacre|tout|de rire|ici)|on part de (?:la|zero|loin|rien)|on laisse (?:comme|ca|courir)|on lache rien|on lache pas|on se calme|c'est parti|on y va|on s'en fout|on prend les memes|on met (?:quoi|ou)|on dit (?:quoi|pas|plus|comment)|ce sera tout|ca sera tout|j'arrete pas de|j'arrete pas|je n'arrete pas|on n'arrete pas|je passe (?:mon temps|mes journees|pour|sur les|a cote|mon tour|du coq)|ca fait (?:longtemps|un bail|une heure|deux heures|trois heures|des heures|10 minutes) que|je veux que ca|j'ai (?:horreur|du mal|marre) (?:de|a) $|je suis plus(?: (?:trop|tres|la|sure?|en|dans|personne|rien))? $|je suis plus (?:trop|la|sur)|va pour (?:ce|cette|demain|aujourd)|habite plus a|je prends note|je garde (?:ca|la main|espoir)|comme une vache|fan (?:de|du) (?:ta|ton|tes|cette|ce|l'idee)|suis plutot (?:contente?|d'accord|sure?|satisfaite?|pour|contre|mal|bien|fatiguee?|surprise?|inquiete?|fiere?|libre|serein|sereine|dispo|partage|d'avis)|je reste (?:sur ma faim|sceptique|en ligne|dispo|la)) ",
    ),
    gate(
        Idiom,
        Clause,
        " (?:sera|seront) (?:en (?:retard|panne|ligne|vacances)|a l'heure|au (?:rdv|rendez-vous)|la (?:demain|$)|le cas|le bienvenu|un plaisir|pret|dispo)",
    ),
    gate(
        Idiom,
        Clause,
        "(?:^| )(?:pas|plus|aucune?|zero|jamais|sans|point) ?(?:de |d'|du |des )?(?:soucis?|problemes?|pb|quoi|nouvelles?|chance|panique|bol|pot|soleil|idee|accord|rapport|reponse|reseau|batterie|temps|envie|lait|doute|deux sans|cafe ce matin|raison|importance|moyen|tout|mal|grave|fatigue|internet|wifi|courant|electricite|pression|stress|mal|trop|vraiment|encore|question que|changement|place|argent|pain|jus|force|sous|signe|nouveau) (?:$|,|pour|de|depuis|que|a|:|!|-|hein|t'inquiete|merci|je|on|la|du|ce|ici)",
    ),
    gate(
        Idiom,
        Clause,
        "(?:j'ai|jai|on a|nous avons|je n'ai|on n'a)(?: [a-z]+)? (?:mange|bu|dormi|regarde|essaye|teste|reessaye|relance|oublie|cherche|galere|demande|envoye|lu|entendu|pense|reflechi|parle|mal|faim|froid|trop|rien|bien|adore|aime|kiffe|bosse|travaille|passe (?:une|la|ma|mon|l'|toute|trois|deux|des)|discute|recu (?:ton|un (?:mail|message|spam))|vu (?:que|ton|ta|une?|le|la|qu)|ri|rigole|chiale|pleure|cuisine|range|relu|corrige|modifie|change (?:la|le) (?:ligne|titre)|ouvert|ferme|clique|copie|colle|tape|imprime|fait (?:les courses|un (?:reve|cauchemar|tour|test|footing|gateau)|une (?:sieste|balade|recherche)|la (?:vaisselle|queue|grasse)|le menage|du menage)) ",
    ),
    // Being fed up with something that passes.
    gate(
        Idiom,
        Clause,
        "^ {moi}(?:j'en (?:peux|pouvais) (?:vraiment )?plus|j'en ai (?:vraiment |trop )?(?:marre|assez|ras le bol)) (?:$|de (?:ce|cet|cette|ces) |aujourd'hui|la $|ce (?:matin|soir))",
    ),
    gate(
        Idiom,
        Clause,
        "^ {moi}j'ai (?:le don|l'art|le chic|la poisse|la guigne|la classe|le cul borde|tout mon temps|la belle vie)(?: |$)",
    ),
    // A verb of choice that does not say what is chosen.
    gate(
        Idiom,
        Clause,
        "^ (?:on|nous) (?:recrute|embauche|abandonne|lache|vire|gele|bascule|migre|adopte|retient|mise|externalise|deploie|branche|remplace|reporte|repousse|decale|annule|supprime|garde|conserve|maintient|arrete|stoppe|coupe|ferme|utilise|vend|achete|sort|lance|passe|part|reste|resilie|laisse tomber|oublie|change)(?: tout)?(?: la| ici)? $",
    ),
    // States that pass, and what works or does not right now.
    gate(
        Idiom,
        Clause,
        "^ (?:la|le|les|l'|mon|ma|mes|notre|nos) ?[a-z-]+(?: [a-z-]+){0,3}? (?:est|sont|tourne|tournent|marche|marchent|rame|rament)(?: (?:encore|toujours|trop|tres|un peu|completement|deja|de nouveau))? (?:en (?:panne|rade|retard|cours|maintenance|pause|charge)|au (?:garage|ralenti|pressing)|a plat|hs|ko|down|(?:lent|decharge|casse|plante|bloque|eteint|absent|content|triste|fatigue|enerve|occupe|perdu|pret|cuit|creve|dispo)(?:e|s|es)? (?:$|aujourd'hui|ce|la|depuis)|malades? (?:$|aujourd'hui|ce)|vides? |sales? |introuvables? |injoignables? |(?:fermee?s?|ouverte?s?) (?:$|ce (?:soir|matin|midi)|aujourd'hui|demain|la $))",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:les? |la |l'|mes |nos |tous les )(?:tests?|ci|builds?|pipeline|compilation|imports?|requetes?) (?:[a-z]+ )?(?:passent?|marchent?|tournent?|echouent?|plantent?|cassent?|restent?)(?: [a-z]+)? (?:pas|plus|tous|en (?:local|rouge|echec)|au (?:vert|rouge)|rouges?|verts?|$)",
    ),
    gate(
        Idiom,
        Clause,
        "^ {moi}(?:je|j'|on|nous) ?(?:ne |n')?(?:aime|supporte|deteste|adore|tolere|encaisse|comprends|kiffe)(?: (?:pas|plus|vraiment|trop|bien|du tout))* (?:ce|cet|cette|ces) [a-z]+ ",
    ),
    gate(Idiom, Clause, "^ toujours (?:les? |la |l')?(?:memes?|aucun|rien|pas|vivant|la) "),
    gate(
        Idiom,
        Clause,
        "^ {moi}{suis}{adv} (?:au |a la |a l'|aux |chez le |chez la )(?:boulangerie|piscine|bibliotheque|poste|pharmacie|supermarche|marche|cine|cinema|gym|salle|mairie|banque|fenetre|cantine|aeroport|boulot|taf|travail|magasin|parc|foot|musee|restaurant|bar|dentiste|medecin|coiffeur|courses|toilettes|douche|cuisine) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:{futureday}|aujourd'hui)(?: ,)? c'est (?:le [0-9]|ferie|{weekday}|le week-end|le weekend|noel|paques|la (?:fete nationale|saint-[a-z]+|toussaint|pentecote|chandeleur)|l'ascension) ?",
    ),
    gate(
        Idiom,
        Clause,
        "(?:j'ai|jai|on a|nous avons) (?:pris (?:le|un|mon|ma|une) (?:bus|metro|rer|tram|cafe|douche|verre|pause|taxi|petit-dej)|joue (?:aux?|a la) |fini (?:le|la|mon|ma|de|ce|cette) ?(?:ticket|script|code|serie|chapitre|saison|lire|coder)|eu (?:un (?:petit |gros )?(?:souci|probleme|bug|doute|contretemps)|mal|peur|froid|chaud|de la chance|une (?:erreur|idee|coupure)))",
    ),
    gate(Negated, Clause, "^ (?:on|nous) [^,]* pas encore "),
    // Choices of the moment, and set phrases.
    gate(
        Idiom,
        Clause,
        "^ {moi}(?:je|j') ?(?:prefere|evite) (?:attendre|ne rien|rien|pas (?:savoir|en parler|repondre|regarder)|en rire|le sujet|la question|(?:te|vous|le|la|l') ?(?:dire|prevenir|demander|savoir)|verifier|demander|etre (?:sure?|honnete|franche?)|m'abstenir|me taire) ?",
    ),
    gate(
        Idiom,
        Clause,
        "^ {moi}(?:je|j') ?(?:deteste|adore|aime pas|hais) quand (?:ca|c'est|tu|il|elle|je) ?",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:je|j') ?(?:(?:veux|voudrais|souhaite|demande|attends|espere)(?: pas| juste| bien)?|aimerais) que (?:ca|cela|tout|le|la|l'[a-z]+|les) ?[a-z]* ?[a-z]* ?(?:marche|fonctionne|passe|aille|finisse|casse|plante|charge|tourne|s'arrete|recommence|compile|reponde|arrive|soit fini|demarre|revienne) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:la|le|les|l') ?[a-z]+ (?:commence|demarre|finit|est|reprend|ouvre|ferme) (?:dans (?:{number}|[0-9]+|quelques) (?:minutes?|heures?)|quand|ou|a voir|bientot|la) ?",
    ),
    gate(
        Idiom,
        Clause,
        " (?:reste|restent) (?:a (?:voir|definir|discuter|confirmer|fixer|faire|decider|preciser)|flous?|floues?|en suspens) ",
    ),
    gate(Question, Clause, " (?:quand|combien|a quelle heure|ou ca) $"),
    gate(
        Idiom,
        Clause,
        "^ (?:on|nous) (?:va|allons|ira|prend|fait|oublie|garde|arrete|change|met|laisse|sait|n'arrete|ne) (?:(?:faire|prendre|boire|manger) (?:un tour|un (?:cafe|verre|pot|bout|point|break)|une (?:pause|balade|bouffe)|le (?:point|tour|necessaire|maximum|menage)|l'apero|avec|simple|au mieux|de notre mieux)|le (?:risque|temps|suspense|train en|taureau|pli|large)|pas (?:mieux|une equipe|grand-chose|le poids|l'unanimite|de jaloux)|ca(?: |$)|de (?:rigoler|jouer|rire|se plaindre)|sait jamais|jamais)",
    ),
    gate(
        Idiom,
        Clause,
        "^ {moi}(?:je|j'|on|nous) ?(?:ne )?(?:vis avec $|joue (?:au (?:plus|con|chat)|avec (?:le feu|les mots|mes nerfs))|cours (?:un|le) (?:risque|danger)|cours (?:apres|partout)|fais (?:du (?:sur place|surplace|bruit|mal)|de la (?:peine|place|resistance)|partie des meubles)|prends des (?:vacances|nouvelles|risques|notes|pincettes|gants|forces)|pese mes mots|touche (?:du bois|le fond|l'essentiel|au but)|porte (?:des (?:oeilleres|fruits)|plainte|secours|chance)|tiens (?:le (?:bon bout|coup)|la (?:forme|route)|un (?:truc|bug))|sais jamais)",
    ),
    gate(
        Idiom,
        Clause,
        "^ {moi}(?:je|j'|on|nous) ?[a-z]+(?: [a-z]+){0,3} depuis (?:(?:une?|deux|trois|quatre|cinq|[0-9]+|dix|vingt|trente|des|quelques) (?:heures?|minutes?|secondes?)|ce (?:matin|midi|soir)|tout a l'heure|hier|avant-hier|tantot) ",
    ),
    gate(Idiom, Clause, " (?:ca fait|il y a|ya|voila) (?:[a-z0-9]+ )?(?:heures?|minutes?) que "),
    gate(
        Idiom,
        Clause,
        "^ (?:le|les) {weekday}s?(?: (?:matin|soir))? c'est (?:dur|long|chiant|mort|ravioli|sympa|cool|l'enfer|complique|la (?:loose|deprime|folie))",
    ),
    gate(
        Idiom,
        Clause,
        "^ {moi}(?:je|j'|on) ?(?:finis|finit|commence|termine|rentre|pars|dejeune|dine|mange|embauche)(?: [a-z']+){0,3} (?:a|vers) [0-9]{1,2} ?h(?: ?[0-9]{2})? (?:aujourd'hui|ce (?:soir|matin|midi)|exceptionnellement|demain)",
    ),
    // Things of the work at hand.
    gate(
        Idiom,
        Clause,
        "^ {moi}(?:j'ai|jai|on a) (?:(?:une?|deux|trois|quatre|cinq|[0-9]+|des|plusieurs) )?(?:solutions?|options?|versions?|possibilites|hypotheses?|pistes?|scenarios?|colonnes?|lignes?|variables?|fonctions?|paragraphes?|exos?|groupes? de (?:variables|donnees|mots|lignes|tests)|(?:sites?|serveurs?|boucles?|scripts?|pc|ordi|imprimante|voiture|applis?) (?:qui (?:plante|rame|marche|bug|bugge|charge|repond|tombe|fait)|en panne|a (?:reparer|debugger|migrer|finir|rendre))) ?",
    ),
    gate(
        Idiom,
        Clause,
        "^ {moi}{suis}{adv} dans (?:le (?:code|fichier|doc|menu|dossier|terminal|vif|doute)|la (?:doc|console|page|branche|salle|rue)|les (?:parametres|options|reglages|logs)) ",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:mon|ma|mes|notre|nos) (?:[a-z]+ )?(?:projet|code|site|script|app|appli|serveur|texte|nom|prenom|compte|fichier|connexion|imprimante|ecran|clavier)(?: [a-z]+)? (?:ne )?(?:marche|marchent|fonctionne|compile|repond|plante|rame|bug|bugge|s'affiche|charge|demarre|(?:est|sont) (?:mal|nul|nulle|pourri|moche|illisible|en (?:retard|vrac)|trop|bizarre|incomplet|faux|serre))",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:mon|ma) (?:pere|mere|soeur|frere|femme|mari|copain|copine|[a-z]+) m'a (?:appele|ecrit|envoye|telephone|rappele|texte)e? ",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:pas besoin|inutile|pas la peine) (?:de |d')(?:t'|vous |te )(?:excuser|presser|inquieter|enerver|fatiguer|deranger|justifier) $",
    ),
    gate(
        Idiom,
        Clause,
        "^ (?:plus|pas) de (?:place|batterie|papier|encre|cafe|memoire|jus|reseau|credit|pain|essence) ",
    ),
    // An hour, a place that is asked for.
    gate(
        Question,
        Clause,
        "^ (?:les?|la|l'|mon|ma|on|tu|vous|ca|c'est) ?[^,]* (?:a|de|en|pour|vers|dans|sur|depuis|par) quelle?s? [a-z]+ ",
    ),
    // The log of a repository.
    gate(
        Code,
        Onward,
        "^ git (?:log|show|blame|diff|status|commit|shortlog|reflog|rebase|merge|cherry-pick) ",
    ),
    gate(Code, Clause, "^ [0-9a-f]{0,32}(?:[0-9][a-f]|[a-f][0-9])[0-9a-f]{5,38} "),
    // Orders of the moment: a text to work on, an answer to somebody else, what is to be explained.
    gate(
        Command,
        Rest,
        "^ {polite}(?:traduis|traduisez|conjugue|conjuguez|reformule|reformulez|complete|completez|corrige|corrigez|reecris|reecrivez|transforme|transformez)(?:-(?:moi|le|la))*(?: (?:ca|cela|ceci|la phrase|le texte|(?:cette|ce) [a-z]+))?(?: (?:en|vers l'|au) ?(?:{lang}|passe|futur|pluriel|present|feminin))? $",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}(?:reponds|repondez|ecris|ecrivez|dis|dites|explique|expliquez|annonce|annoncez)-(?:lui|leur) (?:[^,]* )?(?:que|qu'[a-z]+) ",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}(?:explique|expliquez|resume|resumez|decris|decrivez|presente|raconte|definis)(?:-(?:moi|nous))? (?:en|avec) [a-z0-9]+ (?:phrases?|mots|lignes|points?|paragraphes?|exemples?)(?: max)? (?:la|le|l'[a-z]+|les|ce|cette|comment|pourquoi) ",
    ),
    gate(
        Command,
        Clause,
        "^ (?:je (?:veux|voudrais|souhaite|souhaiterais)|j'aimerais|il faudrait|faudrait|j'ai besoin)(?: bien| juste)? que (?:tu|vous) (?:me |m'|nous )?(?:traduis|corrig|expliqu|resum|redig|ecriv|trouv|calcul|cherch|list|compar|reecri|reformul|envoi|envoy|fass|verifi|relis|donn|prepar|gener|cre|convert|analys|aid)[a-z]* (?:une?|la|le|l'[a-z]+|ce|cet|cette|ces|mon|ma|mes|deux|trois|ca|comment|pourquoi) ",
    ),
    gate(
        Command,
        Clause,
        "^ (?:quand|si|des que|lorsque) (?:tu|vous) (?:peux|pouvez|veux|voulez|preferes|preferez|y arrives|es pret|es prete|(?:as|avez|auras|aurez) (?:le temps|fini|termine|deux minutes|une minute|cinq minutes|envie))(?: bien)? ",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}(?:ne |n'|me |m'|y )*(?:change|changes|changez|modifie|modifies|modifiez|touche|touches|touchez|garde|gardez|enleve|enlevez|supprime|supprimez)(?: pas| plus| juste)? (?:a |au |aux )?(?:le |la |l'|les )?(?:titre|debut|fin|intro|introduction|structure|reste|tableau|sens|premiere?|deuxieme|seconde?|troisieme|derniere?|paragraphe|ligne|phrase) ",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}(?:ne |n')?(?:prends|prenez|mets|mettez|envoie|envoies|envoyez|garde|gardes|gardez|choisis|choisissez|imprime|imprimez|ouvre|ouvrez|ferme|fermez|supprime|supprimez|efface|effacez|jette|jetez|publie|publiez|lance|lancez)(?: surtout| donc)? (?:pas|plus) (?:encore |tout de suite |(?:ce|cet|cette|ces|celui|celle|ceux|celles)(?:-la|-ci)? )",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}(?:appelle|appelez|rappelle|rappelez)(?:-(?:moi|nous|le|la|les))? (?:demain|plus tard|quand|si|des|vite|ce soir|au|sur|une?|le|la|les|mon|ma|vers|a|dans|apres|avant|d'abord|asap|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|en|pour|que|de|d'[a-z]+|tout de suite|maintenant) ",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}(?:mets|mettez|lance|lancez|programme|programmez|ajoute|ajoutez|cree|creez|envoie|envoyez|ouvre|ouvrez|ferme|fermez|rappelle|reserve|reservez|commande|commandez|joue|cherche|cherchez|trouve|trouvez|traduis|traduisez|resume|resumez|reformule|reformulez|corrige|corrigez|exporte|remplace|genere|calcule|compare|convertis|verifie|relis|note|fais|faites|ecris|ecrivez|redige|redigez|donne|donnez|explique|expliquez|propose|liste|supprime|efface|imprime|copie|colle|montre|decale|bloque|active|desactive|eteins|allume|baisse|monte)(?:-(?:moi|nous|lui|leur|le|la|les))* (?:(?:une?|la|le|l'|les|mon|ma|mes|ce|cet|cette|ces|ca|cela|moi|en|tout|deux|trois|cinq|dix|plus|\") ?)+(?:alarmes?|rappels?|minuteur|reveil|timer|musique|playlist|rdv|rendez-vous|recherche|mail|courriel|lettre|texte|phrase|paragraphe|fichier|dossier|document|pdf|ligne|titre|image|photo|lien|taxi|uber|train|vol|billet|table|resto|itineraire|meteo|volume|son|lumiere|chanson|morceaux?|liste (?:de|des)|script|fonction|table|requete|bug|erreur|poeme|discours|annonce|post|tweet|anglais|espagnol|allemand|francais|parenthese|definition|synonymes?|recette de|plan de) ",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}{pro}{order} (?:[^,]* )?(?:ci-dessus|ci-dessous|ci-joint|precedente?|suivante?|ligne [0-9]+|(?:premier|deuxieme|troisieme|dernier|premiere|derniere|seconde?) (?:paragraphe|phrase|ligne|colonne|point|partie|ligne|mot|image)|du (?:haut|bas|dessus|dessous)|la variable|le fichier [a-z_.]+|la fonction|la branche [a-z]+ sur) ",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}(?:remplace|remplacez|corrige|corrigez|traduis|traduisez|resume|cherche|trouve|compte|souligne|surligne|verifie|relis|explique|analyse|traite|lis|regarde)(?:-moi)? [^,]*(?:dans|de|sur|pour) (?:ce|cet|cette|ces) [a-z]+ ",
    ),
    gate(
        Command,
        Clause,
        "^ {polite}(?:ne |n')?(?:t'inquiete|t'inquietes|vous inquietez|inquiete-toi|te prends|te prenez|te moque|te fache|te vexe|m'en veux|m'en voulez|bouge|bougez|quitte|quittez|lache|panique|oublie|oublies|oubliez|crois|croyez|tarde|tardez|crains|craignez|ris|rigole|riez|me juge|me jugez|fais pas attention|cherche pas|va pas|dis (?:rien|pas ca|a personne)|dites rien|parle pas trop vite|en parle|te|vous|me demande|me demandez|demande pas|rentre|reste pas|sois pas|soyez pas|attends|attendez|aie pas|regarde pas)(?: -?(?:toi|vous))? (?:pas|plus|rien|surtout|jamais|dans|la|a|ici|loin|bete|triste|sur)",
    ),
];
