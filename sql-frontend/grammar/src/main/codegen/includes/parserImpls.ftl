<#--
  Weir's productions. Entry point: WeirStatementEof. What they return are the records of
  ParsedStatement; names and types are resolved later, by sql-frontend.
-->

/** Starts reading at a place of a larger text, so that positions are those of that text. */
JAVACODE
void startAt(java.io.Reader reader, int line, int column) {
    jj_input_stream.ReInit(reader, line, column);
}

/** One statement, the whole text. */
ParsedStatement WeirStatementEof() :
{
    final ParsedStatement statement;
}
{
    statement = WeirStatement() <EOF> { return statement; }
}

ParsedStatement WeirStatement() :
{
    final ParsedStatement statement;
}
{
    (
        statement = WeirCreate()
    |
        statement = WeirDrop()
    |
        statement = WeirShow()
    |
        statement = WeirDescribe()
    |
        statement = WeirExplain()
    |
        LOOKAHEAD(2) statement = WeirSubscribe()
    |
        LOOKAHEAD(2) statement = WeirTest()
    |
        LOOKAHEAD(2) statement = WeirPause()
    |
        statement = WeirQuery()
    )
    { return statement; }
}

/** query [ EMIT ... ] [ WHEN condition [ UNTIL condition | FOR interval ] ] [ WITH ( name = literal, ... ) ] */
ParsedStatement.Query WeirQuery() :
{
    final SqlNode query;
    ParsedStatement.Emit emit = null;
    SqlNode when = null;
    SqlNode until = null;
    SqlNode interval = null;
    final List<ParsedStatement.Setting> settings = new ArrayList<ParsedStatement.Setting>();
}
{
    query = OrderedQueryOrExpr(ExprContext.ACCEPT_QUERY)
    [ emit = WeirEmit() ]
    [
        <WHEN> when = Expression(ExprContext.ACCEPT_SUB_QUERY)
        [
            <UNTIL> until = Expression(ExprContext.ACCEPT_SUB_QUERY)
        |
            <FOR> interval = IntervalLiteralOrExpression()
        ]
    ]
    [
        <WITH> <LPAREN> WeirSetting(settings) ( <COMMA> WeirSetting(settings) )* <RPAREN>
    ]
    { return new ParsedStatement.Query(query, emit, when, until, interval, settings); }
}

/** EMIT EMPTY [ FOR number WINDOWS ] | EMIT ON WINDOW CLOSE | EMIT EVERY interval */
ParsedStatement.Emit WeirEmit() :
{
    final SqlIdentifier at;
    SqlNode value = null;
}
{
    <EMIT> { at = new SqlIdentifier("EMIT", getPos()); }
    (
        <EMPTY> [ <FOR> value = Literal() <WINDOWS> ]
        { return new ParsedStatement.Emit(at, ParsedStatement.Emitted.EMPTY, value); }
    |
        <ON> <WINDOW> <CLOSE>
        { return new ParsedStatement.Emit(at, ParsedStatement.Emitted.ON_WINDOW_CLOSE, null); }
    |
        <EVERY> value = IntervalLiteralOrExpression()
        { return new ParsedStatement.Emit(at, ParsedStatement.Emitted.EVERY, value); }
    )
}

/** name = literal */
void WeirSetting(List<ParsedStatement.Setting> settings) :
{
    final SqlIdentifier name;
    final SqlNode value;
}
{
    name = SimpleIdentifier() <EQ> value = Literal()
    { settings.add(new ParsedStatement.Setting(name, value)); }
}

/**
 * CREATE [ OR REPLACE ] QUERY name AS query
 * CREATE [ OR REPLACE ] AGGREGATE name ( argument type, ... ) STATE ...
 * CREATE SOURCE name WITH ( name = literal, ... )
 * CREATE [ OR REPLACE ] TABLE name [ ( column type [ PATH literal ], ... ) ]
 *     WITH ( name = literal, ... )
 */
ParsedStatement WeirCreate() :
{
    boolean orReplace = false;
    final SqlIdentifier name;
    final ParsedStatement.Query query;
    final List<ParsedStatement.Setting> settings = new ArrayList<ParsedStatement.Setting>();
    final List<ParsedStatement.Column> columns = new ArrayList<ParsedStatement.Column>();
}
{
    LOOKAHEAD(2)
    <CREATE> <SOURCE> name = SimpleIdentifier()
    <WITH> <LPAREN> WeirSetting(settings) ( <COMMA> WeirSetting(settings) )* <RPAREN>
    { return new ParsedStatement.CreateSource(name, settings); }
|
    <CREATE> [ <OR> <REPLACE> { orReplace = true; } ]
    (
        <QUERY> name = SimpleIdentifier() <AS> query = WeirQuery()
        { return new ParsedStatement.Create(name, orReplace, query); }
    |
        <AGGREGATE> name = SimpleIdentifier() { return WeirAggregate(name, orReplace); }
    |
        <TABLE> name = SimpleIdentifier()
        [ <LPAREN> WeirColumn(columns) ( <COMMA> WeirColumn(columns) )* <RPAREN> ]
        <WITH> <LPAREN> WeirSetting(settings) ( <COMMA> WeirSetting(settings) )* <RPAREN>
        { return new ParsedStatement.CreateTable(name, orReplace, columns, settings); }
    )
}

/**
 * ( argument type, ... ) STATE ( word type = value, ... ) UPDATE word = value, ... RETURN value
 * [ MERGE word = value, ... ]
 */
ParsedStatement.CreateAggregate WeirAggregate(SqlIdentifier name, boolean orReplace) :
{
    final List<ParsedStatement.Typed> arguments = new ArrayList<ParsedStatement.Typed>();
    final List<ParsedStatement.Word> state = new ArrayList<ParsedStatement.Word>();
    final List<ParsedStatement.Assigned> update = new ArrayList<ParsedStatement.Assigned>();
    final List<ParsedStatement.Assigned> merge = new ArrayList<ParsedStatement.Assigned>();
    final SqlNode result;
}
{
    <LPAREN> [ WeirTyped(arguments) ( <COMMA> WeirTyped(arguments) )* ] <RPAREN>
    <STATE> <LPAREN> WeirWord(state) ( <COMMA> WeirWord(state) )* <RPAREN>
    <UPDATE> WeirAssigned(update) ( <COMMA> WeirAssigned(update) )*
    <RETURN> result = Expression(ExprContext.ACCEPT_SUB_QUERY)
    [ <MERGE> WeirAssigned(merge) ( <COMMA> WeirAssigned(merge) )* ]
    {
        return new ParsedStatement.CreateAggregate(
            name, orReplace, arguments, state, update, result, merge);
    }
}

/** name type */
void WeirTyped(List<ParsedStatement.Typed> list) :
{
    final SqlIdentifier name;
    final SqlNode type;
}
{
    name = SimpleIdentifier() type = WeirType()
    { list.add(new ParsedStatement.Typed(name, type)); }
}

/** name type = value */
void WeirWord(List<ParsedStatement.Word> list) :
{
    final SqlIdentifier name;
    final SqlNode type;
    final SqlNode first;
}
{
    name = SimpleIdentifier() type = WeirType()
    <EQ> first = Expression(ExprContext.ACCEPT_SUB_QUERY)
    { list.add(new ParsedStatement.Word(name, type, first)); }
}

/** A type; INTERVAL without a unit. */
SqlNode WeirType() :
{
    final SqlNode type;
}
{
    <INTERVAL> { return new SqlIdentifier("INTERVAL", getPos()); }
|
    type = DataType() { return type; }
}

/** name = value */
void WeirAssigned(List<ParsedStatement.Assigned> list) :
{
    final SqlIdentifier name;
    final SqlNode value;
}
{
    name = SimpleIdentifier() <EQ> value = Expression(ExprContext.ACCEPT_SUB_QUERY)
    { list.add(new ParsedStatement.Assigned(name, value)); }
}

/** name type [ PATH literal ] */
void WeirColumn(List<ParsedStatement.Column> columns) :
{
    final SqlIdentifier name;
    final SqlDataTypeSpec type;
    SqlNode path = null;
}
{
    name = SimpleIdentifier() type = DataType() [ <PATH> path = Literal() ]
    { columns.add(new ParsedStatement.Column(name, type, path)); }
}

/** DROP QUERY | SOURCE | AGGREGATE | TABLE [ IF EXISTS ] name */
ParsedStatement WeirDrop() :
{
    boolean ifExists = false;
    boolean source = false;
    boolean aggregate = false;
    boolean table = false;
    final SqlIdentifier name;
}
{
    <DROP>
    (
        <QUERY> | <SOURCE> { source = true; } | <AGGREGATE> { aggregate = true; }
        | <TABLE> { table = true; }
    )
    [ LOOKAHEAD(2) <IF> <EXISTS> { ifExists = true; } ]
    name = SimpleIdentifier()
    {
        if (table) {
            return new ParsedStatement.DropTable(name, ifExists);
        }
        return source
            ? new ParsedStatement.DropSource(name, ifExists)
            : aggregate
                ? new ParsedStatement.DropAggregate(name, ifExists)
                : new ParsedStatement.Drop(name, ifExists);
    }
}

/**
 * SHOW QUERIES | STREAMS | FUNCTIONS | AGGREGATES | ACCOUNT | EVENTS | SOURCES | BINDINGS | TABLES
 *     | WORKERS | AUDIT | QUERY COST | LOSS
 * SHOW COLUMNS FROM name
 */
ParsedStatement WeirShow() :
{
    final SqlIdentifier name;
}
{
    <SHOW>
    (
        <QUERIES> { return new ParsedStatement.Show(ParsedStatement.Listed.QUERIES); }
    |
        <STREAMS> { return new ParsedStatement.Show(ParsedStatement.Listed.STREAMS); }
    |
        <FUNCTIONS> { return new ParsedStatement.Show(ParsedStatement.Listed.FUNCTIONS); }
    |
        <AGGREGATES> { return new ParsedStatement.Show(ParsedStatement.Listed.AGGREGATES); }
    |
        <ACCOUNT> { return new ParsedStatement.Show(ParsedStatement.Listed.ACCOUNT); }
    |
        <EVENTS> { return new ParsedStatement.Show(ParsedStatement.Listed.EVENTS); }
    |
        <SOURCES> { return new ParsedStatement.Show(ParsedStatement.Listed.SOURCES); }
    |
        <BINDINGS> { return new ParsedStatement.Show(ParsedStatement.Listed.BINDINGS); }
    |
        <TABLES> { return new ParsedStatement.Show(ParsedStatement.Listed.TABLES); }
    |
        <WORKERS> { return new ParsedStatement.Show(ParsedStatement.Listed.WORKERS); }
    |
        <AUDIT> { return new ParsedStatement.Show(ParsedStatement.Listed.AUDIT); }
    |
        <QUERY> <COST>
        { return new ParsedStatement.Show(ParsedStatement.Listed.QUERY_COST); }
    |
        <LOSS> { return new ParsedStatement.Show(ParsedStatement.Listed.LOSS); }
    |
        <COLUMNS> ( <FROM> | <IN> ) name = CompoundTableIdentifier()
        { return new ParsedStatement.Describe(name); }
    )
}

/** DESCRIBE name */
ParsedStatement WeirDescribe() :
{
    final SqlIdentifier name;
}
{
    <DESCRIBE> name = CompoundTableIdentifier() { return new ParsedStatement.Describe(name); }
}

/** EXPLAIN [ (KERNEL) ] name | query, EXPLAIN ANALYZE name | query */
ParsedStatement WeirExplain() :
{
    boolean kernel = false;
    final SqlIdentifier name;
    final ParsedStatement statement;
    final ParsedStatement.Query query;
}
{
    LOOKAHEAD(3)
    <EXPLAIN> <ANALYZE>
    (
        LOOKAHEAD(1)
        name = SimpleIdentifier() { return new ParsedStatement.Analyze(name, null); }
    |
        query = WeirQuery() { return new ParsedStatement.Analyze(null, query); }
    )
|
    <EXPLAIN> [ LOOKAHEAD(2) <LPAREN> <KERNEL> <RPAREN> { kernel = true; } ]
    (
        statement = WeirCreate() { return new ParsedStatement.Explain(statement, kernel); }
    |
        LOOKAHEAD(1)
        name = SimpleIdentifier() { return new ParsedStatement.ExplainName(name, kernel); }
    |
        statement = WeirQuery() { return new ParsedStatement.Explain(statement, kernel); }
    )
}

/** SUBSCRIBE name */
ParsedStatement WeirSubscribe() :
{
    final SqlIdentifier name;
}
{
    <SUBSCRIBE> name = SimpleIdentifier() { return new ParsedStatement.Subscribe(name); }
}

/** PAUSE QUERY name, RESUME QUERY name */
ParsedStatement WeirPause() :
{
    boolean resumes = false;
    final SqlIdentifier name;
}
{
    ( <PAUSE> | <RESUME> { resumes = true; } ) <QUERY> name = SimpleIdentifier()
    { return new ParsedStatement.Pause(name, resumes); }
}

/** TEST QUERY name | query ON 'capture' EXPECT 'rows.csv' */
ParsedStatement WeirTest() :
{
    SqlIdentifier name = null;
    ParsedStatement.Query query = null;
    final SqlNode capture;
    final SqlNode rows;
}
{
    <TEST> <QUERY>
    (
        LOOKAHEAD(1)
        name = SimpleIdentifier()
    |
        query = WeirQuery()
    )
    <ON> capture = StringLiteral() <EXPECT> rows = StringLiteral()
    { return new ParsedStatement.Test(name, query, capture, rows); }
}

/** INET '10.0.0.1', MACADDR '02:00:00:00:00:01' */
SqlNode AddressLiteral() :
{
    final String tag;
    final String value;
    final Span s;
}
{
    ( <INET> { tag = "INET"; } | <MACADDR> { tag = "MACADDR"; } )
    { s = span(); }
    value = SimpleStringLiteral()
    { return SqlLiteral.createUnknown(tag, value, s.end(this)); }
}

/** 0x12 */
SqlNode HexadecimalLiteral() :
{
}
{
    <HEXADECIMAL_LITERAL>
    {
        return SqlLiteral.createExactNumeric(
            new java.math.BigInteger(token.image.substring(2), 16).toString(), getPos());
    }
}

void RightShift(List<Object> list, ExprContext exprContext, Span s) :
{
}
{
    <RIGHTSHIFT>
    {
        checkNonQueryExpression(exprContext);
        list.add(new SqlParserUtil.ToTreeListItem(WeirOperators.RIGHT_SHIFT, getPos()));
    }
    AddExpression2b(list, ExprContext.ACCEPT_SUB_QUERY)
}

/** time AT TIME ZONE zone */
void AtTimeZone(List<Object> list, ExprContext exprContext, Span s) :
{
}
{
    <AT> <TIME> <ZONE>
    {
        checkNonQueryExpression(exprContext);
        list.add(new SqlParserUtil.ToTreeListItem(WeirOperators.AT_TIME_ZONE, getPos()));
    }
    AddExpression2b(list, ExprContext.ACCEPT_SUB_QUERY)
}

/** NEW(key, ..., interval) */
SqlCall NewCall() :
{
    final Span s;
    final List<SqlNode> arguments;
}
{
    <NEW> { s = span(); }
    arguments = UnquantifiedFunctionParameterList(ExprContext.ACCEPT_SUB_QUERY)
    { return WeirOperators.NEW.createCall(s.end(this), arguments); }
}
